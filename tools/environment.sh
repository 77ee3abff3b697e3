# Sourced by ./dcb and ./check: makes `.venv` beside them, once, and again when
# pyproject.toml changes. Sets nothing but $root, which the caller gave.

fail() {
    printf '%s\n' "$1" >&2
    exit 1
}

find_python() {
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if command -v "$candidate" >/dev/null 2>&1 &&
            "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

# make_environment STAMP REQUIREMENT: STAMP says which set of packages is in place.
make_environment() {
    stamp=$root/.venv/.$1
    [ -f "$stamp" ] && [ ! "$root/pyproject.toml" -nt "$stamp" ] && return
    echo "Setting up $root/.venv (only now; this takes about a minute) ..." >&2
    if command -v uv >/dev/null 2>&1; then
        [ -x "$root/.venv/bin/python" ] ||
            uv venv --quiet --python '>=3.11' "$root/.venv" || fail "uv could not make $root/.venv: see its message above."
        uv pip install --quiet --python "$root/.venv/bin/python" -e "$2" ||
            fail "The packages could not be installed: see the message above; a later run goes on from here."
    else
        python=$(find_python) ||
            fail "dcb needs Python 3.11 or newer and found none: install it (Debian: apt install python3 python3-venv) and run this again."
        [ -x "$root/.venv/bin/pip" ] || {
            "$python" -c 'import venv, ensurepip' 2>/dev/null ||
                fail "$python has no venv module: install it (Debian: apt install python3-venv) and run this again."
            "$python" -m venv --clear "$root/.venv" || fail "$root/.venv could not be made: see the message above."
        }
        "$root/.venv/bin/pip" install -qq --disable-pip-version-check -e "$2" >&2 ||
            fail "The packages could not be installed: see the message above; a later run goes on from here."
    fi
    touch "$stamp"
}
