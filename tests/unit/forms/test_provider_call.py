"""The fetches of forms and of the phone field, run by node: each ends after a time, in browsers without AbortSignal.timeout, too."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
# A browser without AbortSignal.timeout, in which a second lasts ten milliseconds; imports a module of ours as the build lays it out.
OLDER_BROWSER = """
import { registerHooks } from "node:module";
registerHooks({ resolve: (name, context, next) => next(name.startsWith("$/") ? import.meta.resolve(`./${name.slice(2)}.js`) : name, context) });
delete AbortSignal.timeout;
const inRealTime = setTimeout;
globalThis.setTimeout = (run, milliseconds) => inRealTime(run, milliseconds / 100);
console.error = console.warn = () => {};
const delivery = { api: "http://site.test/v1.0", call: "createMessage", tokenCall: "formToken" };
const { post, requestToken } = await import("./components/reliable_form/provider_call.js");
const { lookUp } = await import("./components/phone_input/lookup.js");
const replies = async () => [
  await post(delivery, { values: {}, key: "k" }), await requestToken(delivery), await lookUp("http://site.test/country"),
];
"""
ANSWERED = """
const replyTo = (url) => (url.endsWith("country") ? "1;TH;THA;Thailand" : JSON.stringify({ reference: "M-1", token: "t" }));
globalThis.fetch = async (url, { signal }) => (signal.throwIfAborted(), new Response(replyTo(url)));
"""  # codespell:ignore tha
UNANSWERED = """
globalThis.fetch = (url, { signal }) => new Promise((resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
"""
PRINT = "process.stdout.write(JSON.stringify(await replies()));"


def run(fetch: str) -> list[Any]:
    node = [str(Path(sys.executable).with_name("node")), "--input-type=module", "--eval", OLDER_BROWSER + fetch + PRINT]
    process = subprocess.run(node, cwd=ROOT, capture_output=True, text=True, check=True, timeout=30)
    return json.loads(process.stdout)


def test_a_browser_without_abort_signal_timeout_sends_a_form_and_learns_token_and_country() -> None:
    result, token, country = run(ANSWERED)

    assert result["reference"] == "M-1"
    assert token["token"] == "t"
    assert country == "TH"


def test_a_fetch_without_a_reply_ends() -> None:
    assert run(UNANSWERED) == [None, {}, None]
