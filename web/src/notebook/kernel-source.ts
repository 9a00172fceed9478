import { BevError } from "../base/errors.js";
import type { ReadOptions, Source } from "../source/source.js";
import { KernelMessages, type Question, type WidgetModel } from "./kernel-messages.js";

/** Reads a data set's objects through a notebook's kernel. */
export class KernelSource implements Source {
	readonly #messages: KernelMessages;
	/** Number of the folder: 0 the data set, then the folders around it. */
	readonly #folder: number;

	constructor(model: WidgetModel, folder = 0) {
		this.#messages = new KernelMessages(model);
		this.#folder = folder;
	}

	async read(key: string, options: ReadOptions = {}): Promise<Uint8Array | undefined> {
		const { range, signal } = options;
		const wanted = range && ([range.begin, range.end] as const);
		const { answer, buffers } = await this.#ask(
			{ type: "read", key, range: wanted },
			signal,
		);
		if (answer.found === false) return undefined;
		const [bytes] = buffers;
		if (bytes) return bytes;
		throw new BevError("network", `${key}: the kernel's answer has no bytes`, { key });
	}

	async size(key: string, signal?: AbortSignal): Promise<number | undefined> {
		const { answer } = await this.#ask({ type: "size", key }, signal);
		return answer.size ?? undefined;
	}

	/** Returns the data set's whole address, which the widget's saved state lacks. */
	async address(signal?: AbortSignal): Promise<string> {
		const { answer } = await this.#ask({ type: "address" }, signal);
		return String(answer.address);
	}

	/** Rejects what is pending, and ignores later answers. */
	close(): void {
		this.#messages.close();
	}

	#ask(question: Question, signal: AbortSignal | undefined) {
		return this.#messages.ask({ ...question, folder: this.#folder }, signal);
	}
}
