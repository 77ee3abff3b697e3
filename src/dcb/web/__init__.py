"""The local web page: one person's store in the browser, on this machine only.

How a request travels: `guard` (exact Host and Origin, session, CSRF, body limits, headers)
→ a page of `pages` → `desk` (the one open library, with a time limit where the store is
encrypted) → `html` (templates in two languages; every value escaped and made visible).

To add a page:

1. `pages/NAME.py` with `routes: tuple[Route, ...]`; its handlers are plain functions from a
   request to a response and run in a thread. `with desk(request) as library:` gives the
   library; nothing else is shared. What changes something is a POST and ends in
   `see_other(path)`.
2. A line in `pages.PAGES`, and in `pages.NAVIGATION` where the page belongs in the menu.
3. `words/NAME.py` with `WORDS: Words` (key → English, Chinese) and its line in
   `words.TABLES`.
4. `templates/NAME.html`, which begins with `{% extends "base.html" %}`. `t("key", …)` says a
   sentence, `{{ csrf }}` stands in every form that posts, `{{ value }}` is always safe:
   escaped, and with its invisible characters shown. Only a field that is sent back takes
   `{{ value|exact }}`. No inline script or style: the content security policy refuses both.
5. Tests with the `web` fixture of `tests/web_client.py`.

A form is sent as `application/x-www-form-urlencoded` and read by `form(request)`. A page's
own script sends JSON or, for uploads, `application/octet-stream` with the header
`X-CSRF-Token` (`document.body.dataset.csrf`); how much a route takes stands in its page's
`large: Mapping[str, int]` (path → bytes), and the handler reads `request.stream()`.
"""
