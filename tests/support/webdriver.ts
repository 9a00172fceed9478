import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { BRIDGE, decode, encode, Handle } from "./webdriver-bridge.js";

/** Starts an X display of its own, so that its only window has the focus. */
async function startDisplay(): Promise<{ display: string; process: ChildProcess }> {
	const options = [
		"-displayfd",
		"3",
		"-screen",
		"0",
		"1600x1200x24",
		"-nolisten",
		"tcp",
	];
	const process = spawn("Xvfb", options, {
		stdio: ["ignore", "ignore", "ignore", "pipe"],
	});
	const pipe = process.stdio[3];
	if (!pipe) throw new Error("Xvfb: not started");
	const [number] = await Promise.race([
		once(pipe, "data"),
		once(process, "exit").then(() => {
			throw new Error("Xvfb: ended before it had a display");
		}),
	]);
	return { display: `:${String(number).trim()}`, process };
}

/** Returns a free port of the loopback interface. */
function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer().once("error", reject);
		server.listen(0, "127.0.0.1", () => {
			const address = server.address();
			server.close(() =>
				resolve(typeof address === "object" && address ? address.port : 0),
			);
		});
	});
}

/**
 * A session of a WebDriver server, which is started with it. Commands that concern
 * different windows take turns.
 */
export class Session {
	#turn: Promise<unknown> = Promise.resolve();
	#window = "";

	private constructor(
		private readonly processes: readonly ChildProcess[],
		private readonly base: string,
	) {}

	/** Starts `program` and a session with `capabilities`. */
	static async start(program: string, capabilities: object): Promise<Session> {
		const port = await freePort();
		const screen = await startDisplay();
		const env = { ...process.env, DISPLAY: screen.display };
		const server = spawn(program, [`--port=${port}`], { stdio: "ignore", env });
		const origin = `http://127.0.0.1:${port}`;
		for (let left = 200; left > 0; left -= 1) {
			const ready = await fetch(`${origin}/status`).then(
				(answer) => answer.ok,
				() => false,
			);
			if (ready) break;
			await sleep(50);
		}
		const answer = await send(`${origin}/session`, "POST", {
			capabilities: { alwaysMatch: capabilities },
		});
		const { sessionId } = answer as { sessionId: string };
		const session = new Session(
			[server, screen.process],
			`${origin}/session/${sessionId}`,
		);
		await session.command("POST", "/timeouts", { script: 120_000 });
		return session;
	}

	command(method: "GET" | "POST" | "DELETE", path: string, body?: object) {
		return send(this.base + path, method, method === "POST" ? (body ?? {}) : body);
	}

	/** Sends a command to a window. */
	async at(window: string, path: string, body?: object): Promise<unknown> {
		const turn = this.#turn.then(async () => {
			if (this.#window !== window) {
				await this.command("POST", "/window", { handle: window });
				this.#window = window;
			}
			return this.command(body ? "POST" : "GET", path, body);
		});
		this.#turn = turn.catch(() => {});
		return turn;
	}

	async close(): Promise<void> {
		await this.#turn;
		await this.command("DELETE", "").catch(() => {});
		for (const one of this.processes) one.kill();
	}
}

async function send(url: string, method: string, body?: object): Promise<unknown> {
	const answer = await fetch(url, {
		method,
		...(body ? { body: JSON.stringify(body) } : {}),
	});
	const { value } = (await answer.json()) as { value: unknown };
	if (answer.ok) return value;
	const { error, message } = value as { error: string; message: string };
	throw new Error(`${error}: ${message}`);
}

/** How often a running script's result is asked for. */
const POLL_MS = 15;

type Polled = { readonly done: boolean; readonly value?: unknown; error?: string };

/** Runs code in a window, and sends input to it. */
export class WindowDriver {
	#next = 0;

	constructor(
		readonly session: Session,
		readonly window: string,
	) {}

	command(path: string, body?: object): Promise<unknown> {
		return this.session.at(this.window, path, body);
	}

	/**
	 * Evaluates `code`, a function of `arg`, an expression or (with a final semicolon)
	 * statements, and awaits its result. Other commands are not delayed meanwhile.
	 */
	async run<T>(code: string, arg?: unknown, keep = false): Promise<T> {
		this.#next += 1;
		const call = [this.#next, encode(arg), keep];
		const body = code.trimEnd().endsWith(";")
			? code
			: `const work = (${code}\n); return typeof work === "function" ? work(arg) : work;`;
		const start = `${BRIDGE}; const call = arguments; bridge.start(call, (arg) => { ${body} });`;
		await this.command("/execute/sync", { script: start, args: call });
		const poll = { script: `${BRIDGE}; return bridge.poll(arguments[0]);` };
		for (;;) {
			const text = await this.command("/execute/sync", { ...poll, args: [call[0]] });
			const { done, value, error } = JSON.parse(String(text)) as Polled;
			if (error !== undefined) throw new Error(error);
			if (done) return (keep ? new Handle(this, Number(value)) : decode(value)) as T;
			await sleep(POLL_MS);
		}
	}

	/** Performs actions of one input device. */
	async act(device: object, actions: readonly object[]): Promise<void> {
		await this.command("/actions", { actions: [{ ...device, actions }] });
	}
}
