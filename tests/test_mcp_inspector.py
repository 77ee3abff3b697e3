"""A client that we did not write, the MCP Inspector, lists and calls what is offered.

Runs where `DCB_MCP_INSPECTOR` names its program (`mcp-inspector`, from npm), as in CI.
"""

import json
import os
import subprocess
import sys

import pytest

from dcb.compile import compile_conversation
from dcb.library import Library
from dcb.model import Conversation, Message
from dcb.settings import Settings

INSPECTOR = os.environ.get("DCB_MCP_INSPECTOR", "")

pytestmark = pytest.mark.skipif(not INSPECTOR, reason="DCB_MCP_INSPECTOR is not set")


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    message = Message(id="m1", role="user", content="Always moor at pier 7.")
    talk = Conversation(id="", title="Harbour", format="test", messages=(message,))
    with Library(Settings(data_dir=folder)) as library:
        library.save(compile_conversation(talk, snapshot_id="s-1"))

    def asked(method, *more):
        server = [sys.executable, "-m", "dcb", "mcp", "--data-dir", str(folder)]
        command = [INSPECTOR, "--cli", *server, "--method", method, *more]
        done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
        return json.loads(done.stdout)

    return asked


def test_the_inspector_lists_everything(ask):
    assert {tool["name"] for tool in ask("tools/list")["tools"]} >= {"search_context", "get_brief"}
    assert [item["uri"] for item in ask("resources/list")["resources"]] == ["dcb://snapshot/s-1"]
    templates = ask("resources/templates/list")["resourceTemplates"]
    assert [item["name"] for item in templates] == ["snapshot", "brief"]
    prompts = ask("prompts/list")["prompts"]
    assert [prompt["name"] for prompt in prompts] == ["continue-from", "save-this"]


def test_the_inspector_calls_tools_and_reads(ask):
    calls = {
        "search_context": ("query=pier", "found"),
        "compile_conversation": ('messages=[{"role":"user","content":"Always sail."}]', "draft"),
    }
    for name, (argument, field) in calls.items():
        answer = ask("tools/call", "--tool-name", name, "--tool-arg", argument)
        assert answer["structuredContent"][field], name
    assert "pier 7" in ask("resources/read", "--uri", "dcb://brief/s-1")["contents"][0]["text"]
    prompt = ask("prompts/get", "--prompt-name", "continue-from", "--prompt-args", "snapshot=s-1")
    assert "pier 7" in prompt["messages"][0]["content"]["text"]
