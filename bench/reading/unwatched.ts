import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import {
	createServer,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CHROMIUM, FLAGS } from "../../tests/support/engines.js";
import type { Call, Outcome } from "./obey.js";

/** Timeout for a browser to start or to reply. */
const PATIENCE_MS = 300_000;

/**
 * A page that executes calls in a Chromium without debugger: a debugger is notified of
 * every part of every request, which costs a page as much as reading does, and a worker
 * twice that.
 */
export class UnwatchedPage {
	readonly #process: ChildProcess;
	readonly #profile: string;
	readonly #server: Server;
	/** The page's pending request for the next call. */
	#waiting: ServerResponse | undefined;
	#settle: (outcome: Outcome) => void = () => {};

	private constructor(profile: string, server: Server, url: string) {
		this.#profile = profile;
		this.#server = server;
		server.on("request", (request, response) => {
			this.#receive(request, response).catch((error) => response.destroy(error));
		});
		const own = [
			"--headless=new",
			"--js-flags=--expose-gc",
			`--user-data-dir=${profile}`,
		];
		this.#process = spawn(CHROMIUM, [...FLAGS, ...own, url], { stdio: "ignore" });
	}

	/** Opens the page at `address(control URL)`; resolves when it is ready. */
	static async open(address: (control: string) => string): Promise<UnwatchedPage> {
		const server = createServer().listen(0, "127.0.0.1");
		await once(server, "listening");
		const { port } = server.address() as AddressInfo;
		const profile = mkdtempSync(join(tmpdir(), "bevscope-bench-"));
		const url = address(`http://127.0.0.1:${port}/`);
		const page = new UnwatchedPage(profile, server, url);
		await page.#outcome();
		return page;
	}

	/** Returns the result of the page's function; rejects if it fails. */
	async ask<T>(call: Call): Promise<T> {
		const outcome = this.#outcome();
		this.#waiting?.end(JSON.stringify(call));
		return (await outcome) as T;
	}

	async close(): Promise<void> {
		const ended = once(this.#process, "exit");
		this.#process.kill();
		await ended;
		this.#server.closeAllConnections();
		this.#server.close();
		await remove(this.#profile);
	}

	#outcome(): Promise<unknown> {
		return new Promise((resolve, reject) => {
			const late = () => reject(new Error("the page does not answer"));
			const timer = setTimeout(late, PATIENCE_MS);
			this.#settle = ({ answer, error }) => {
				clearTimeout(timer);
				if (error === undefined) resolve(answer);
				else reject(new Error(`the page: ${error}`));
			};
		});
	}

	/** Receives the outcome of one call; the response is the next call. */
	async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
		response.setHeader("Access-Control-Allow-Origin", "*");
		let text = "";
		for await (const piece of request) text += piece;
		this.#waiting = response;
		this.#settle(JSON.parse(text) as Outcome);
	}
}

/** Retries because the browser's processes may still write to the folder. */
async function remove(folder: string): Promise<void> {
	for (let left = 50; ; left -= 1) {
		try {
			return rmSync(folder, { recursive: true, force: true });
		} catch (error) {
			if (left === 0) throw error;
			await pause(100);
		}
	}
}
