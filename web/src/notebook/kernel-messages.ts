import { BevError, isErrorCode } from "../base/errors.js";
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

/** A question to the kernel. */
export interface Question {
	readonly type: "read" | "size" | "address" | "predict";
	/** Arrays of numbers and texts. */
	readonly [name: string]: unknown;
}

/** The kernel's answer to a question. */
export interface Answer {
	readonly type: "answer";
	readonly id: string;
	/** Whether the object exists; its bytes are the message's buffer. */
	readonly found?: boolean;
	readonly size?: number | null;
	readonly address?: string;
	/** Of a model: what the message's buffers are. */
	readonly outputs?: readonly SentTensor[];
	readonly error?: { readonly code: string; readonly message: string };
}

/** What a buffer of a message is. */
export interface SentTensor {
	readonly name: string;
	readonly type: string;
	readonly dims: readonly number[];
}

/** An answer, and the message's buffers in memory of their own. */
export interface Answered {
	readonly answer: Answer;
	readonly buffers: readonly Uint8Array[];
}

interface Pending {
	resolve(answered: Answered): void;
	reject(reason: unknown): void;
}

function isAnswer(content: unknown): content is Answer {
	return (content as Partial<Answer> | null)?.type === "answer";
}

function bytesOf(buffer: DataView | ArrayBuffer): Uint8Array {
	if (buffer instanceof ArrayBuffer) return new Uint8Array(buffer).slice();
	const { buffer: memory, byteOffset, byteLength } = buffer;
	return new Uint8Array(memory, byteOffset, byteLength).slice();
}

/**
 * Asks a notebook's kernel by messages of its widget. The kernel answers between two
 * cells.
 */
export class KernelMessages {
	readonly #model: WidgetModel;
	/** Distinguishes those of a widget, which all receive every message. */
	readonly #name = Math.random().toString(36).slice(2);
	readonly #pending = new Map<string, Pending>();
	#count = 0;

	constructor(model: WidgetModel) {
		this.#model = model;
		model.on("msg:custom", this.#receive);
	}

	/** Rejects with the kernel's error, or with `signal.reason` after telling the kernel. */
	async ask(
		question: Question,
		signal: AbortSignal | undefined,
		buffers?: ArrayBuffer[],
	): Promise<Answered> {
		signal?.throwIfAborted();
		const id = `${this.#name}-${this.#count++}`;
		const answer = new Promise<Answered>((resolve, reject) => {
			this.#pending.set(id, { resolve, reject });
		});
		try {
			this.#model.send({ ...question, id }, undefined, buffers);
			return await unlessAborted(answer, signal);
		} finally {
			if (this.#pending.delete(id)) this.#model.send({ type: "cancel", id });
		}
	}

	/** Rejects what is pending, and ignores later answers. */
	close(): void {
		this.#model.off("msg:custom", this.#receive);
		const closed = new BevError("network", "kernel: the widget was closed");
		for (const { reject } of this.#pending.values()) reject(closed);
		this.#pending.clear();
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
			pending?.resolve({ answer: content, buffers: buffers.map(bytesOf) });
			return;
		}
		const code = isErrorCode(error.code) ? error.code : "network";
		pending?.reject(new BevError(code, error.message));
	};
}
