"""A session with an MCP server over stdio, started as `calls.json` says. Standard library."""

import json
import os
import queue
import subprocess
import threading
import time


class Session:
    """One server process; `noise` are lines of its standard output that are no protocol messages, `told` all its answers."""

    def __init__(self, calls, service, key, options=()):
        environment = {name: value for name, value in os.environ.items() if name != calls["key"]}
        environment |= {name: value.replace("{port}", str(service.port)) for name, value in calls["environment"].items()}
        environment |= {calls["key"]: key} if key else {}
        self.noise, self.told, self.lines, self.number = [], [], queue.Queue(), 0
        self.process = subprocess.Popen([*calls["server"], *options], env=environment, text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # fmt: skip
        threading.Thread(target=self.read, daemon=True).start()
        start = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}}
        self.alive = "result" in self.ask("initialize", start)
        self.send({"method": "notifications/initialized"})

    def read(self):
        for line in self.process.stdout:
            try:
                message = json.loads(line)
                assert message["jsonrpc"] == "2.0"
            except (ValueError, AssertionError, KeyError, TypeError):
                self.noise.append(line.strip()[:200])
            else:
                self.lines.put(message)
        self.lines.put({})

    def send(self, message):
        try:
            self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            self.process.stdin.flush()
        except OSError:
            pass

    def ask(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                message = self.lines.get(timeout=60)
            except queue.Empty:
                break
            if message.get("id") == self.number:
                return message
            if not message:
                self.lines.put({})
                break
        return {}

    def tools(self):
        return {tool["name"]: tool for tool in self.ask("tools/list", {}).get("result", {}).get("tools", [])}

    def call(self, tool, arguments):
        """The text of an answer, and whether it is a refusal that the model can read (`isError`) or one of the protocol."""
        message = self.ask("tools/call", {"name": tool, "arguments": arguments})
        self.told.append(json.dumps(message, ensure_ascii=False))
        if "result" not in message:
            return json.dumps(message.get("error", "no answer")), "protocol"
        result = message["result"]
        text = "\n".join(part.get("text", "") for part in result.get("content", []))
        return text + ("\n" + json.dumps(result["structuredContent"]) if "structuredContent" in result else ""), result.get("isError", False)

    def stop(self):
        self.process.stdin.close()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        return self.noise
