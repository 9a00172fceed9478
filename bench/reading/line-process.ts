import { type ChildProcess, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";

/**
 * A process that replies to each line with a line of JSON, so that several can
 * alternate.
 */
export class LineProcess {
	readonly #name: string;
	readonly #process: ChildProcess;
	readonly #lines: AsyncIterator<string>;
	readonly #reader: Interface;

	constructor(command: string, args: readonly string[]) {
		this.#name = [command, ...args].join(" ");
		this.#process = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
		const { stdout } = this.#process;
		if (!stdout) throw new Error(`${this.#name}: no output`);
		this.#reader = createInterface({ input: stdout });
		this.#lines = this.#reader[Symbol.asyncIterator]();
	}

	async ask<T>(line: string): Promise<T> {
		this.#process.stdin?.write(`${line}\n`);
		const { value, done } = await this.#lines.next();
		if (done) throw new Error(`${this.#name}: ended at "${line}"`);
		return JSON.parse(value as string) as T;
	}

	close(): void {
		this.#process.stdin?.end();
		this.#reader.close();
	}
}
