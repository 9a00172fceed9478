import { BevError, isErrorCode } from "../base/errors.js";
import type { ReadOptions, Source } from "../source/source.js";
import { unlessAborted } from "../source/unless-aborted.js";

export type WidgetListener = (...args: never[]) => void;

/** The part of a notebook widget's model (anywidget) that is used here. */
export interface WidgetModel {
	get(name: string): unknown;
	set(name: string, value: unknown): void;
	save_changes(): void;
	on(event: string, listener: WidgetListener): void;
	off(event: string, listener: WidgetListener): void;
	send(content: unknown, callbacks?: unknown, buffers?: ArrayBuffer[]): void;
}

/** An answer of the kernel to a read or a measurement. */
interface Answer {
	readonly type: "answer";
	readonly id: string;
	/** Whether the object exists; its bytes are the message's buffer. */
	readonly found?: boolean;
	readonly size?: number | null;
	readonly address?: string;
	readonly error?: { readonly code: string; readonly message: string };
}

interface Question {
	readonly type: "read" | "size" | "address";
	readonly key?: string;
	readonly range?: readonly [begin: number, end: number] | undefined;
}

interface Pending {
	resolve(answer: { answer: Answer; bytes: Uint8Array | undefined }): void;
	reject(reason: unknown): void;
}

function isAnswer(content: unknown): content is Answer {
	return (content as Partial<Answer> | null)?.type === "answer";
}

/** Returns the bytes of a message's buffer, in memory of their own. */
function bytesOf(buffer: DataView | ArrayBuffer | undefined): Uint8Array | undefined {
	if (buffer === undefined) return undefined;
	if (buffer instanceof ArrayBuffer) return new Uint8Array(buffer).slice();
	const { buffer: memory, byteOffset, byteLength } = buffer;
	return new Uint8Array(memory, byteOffset, byteLength).slice();
}

/**
 * Reads a data set's objects through a notebook's kernel, by messages of its widget.
 * The kernel answers between two cells.
 */
export class KernelSource implements Source {
	readonly #model: WidgetModel;
	/** Number of the folder: 0 the data set, then the folders around it. */
	readonly #folder: number;
	/** Distinguishes the sources of a model, which all receive every message. */
	readonly #name = Math.random().toString(36).slice(2);
	readonly #pending = new Map<string, Pending>();
	#count = 0;

	constructor(model: WidgetModel, folder = 0) {
		this.#model = model;
		this.#folder = folder;
		model.on("msg:custom", this.#receive);
	}

	async read(key: string, options: ReadOptions = {}): Promise<Uint8Array | undefined> {
		const { range, signal } = options;
		const wanted = range && ([range.begin, range.end] as const);
		const { answer, bytes } = await this.#ask(
			{ type: "read", key, range: wanted },
			signal,
		);
		if (answer.found === false) return undefined;
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
		this.#model.off("msg:custom", this.#receive);
		const closed = new BevError("network", "kernel: the widget was closed");
		for (const { reject } of this.#pending.values()) reject(closed);
		this.#pending.clear();
	}

	async #ask(question: Question, signal: AbortSignal | undefined) {
		signal?.throwIfAborted();
		const id = `${this.#name}-${this.#count++}`;
		const answer = new Promise<Parameters<Pending["resolve"]>[0]>((resolve, reject) => {
			this.#pending.set(id, { resolve, reject });
		});
		try {
			this.#model.send({ ...question, folder: this.#folder, id });
			return await unlessAborted(answer, signal);
		} finally {
			if (this.#pending.delete(id)) this.#model.send({ type: "cancel", id });
		}
	}

	readonly #receive = (
		content: unknown,
		buffers: readonly (DataView | ArrayBuffer)[],
	): void => {
		if (!isAnswer(content)) return;
		const pending = this.#pending.get(content.id);
		this.#pending.delete(content.id);
		const { error } = content;
		if (!error) {
			pending?.resolve({ answer: content, bytes: bytesOf(buffers[0]) });
			return;
		}
		const code = isErrorCode(error.code) ? error.code : "network";
		pending?.reject(new BevError(code, error.message));
	};
}
