/** A position in the queue of a `Gate`. */
export interface Ticket {
	/** Whether the ticket was admitted, possibly immediately. */
	readonly inside: boolean;
	/** Resolves when the ticket is admitted. */
	readonly turn: Promise<void>;
	/** Moves a waiting background ticket to the foreground. */
	promote(): void;
	/** Moves a waiting ticket to the background. */
	demote(): void;
	/** Leaves the gate or its queue. Call it exactly once. */
	leave(): void;
}

interface Waiting {
	go: () => void;
	background: boolean;
	inside: boolean;
}

/**
 * Admits at most `limit` tickets at a time, foreground first, in order. Background
 * tickets leave a quarter of the slots free, so that requests do not wait for
 * prefetches.
 */
export class Gate {
	readonly #limit: number;
	readonly #waiting: Waiting[] = [];
	#inside = 0;

	constructor(limit: number) {
		this.#limit = limit;
	}

	enter(background = false): Ticket {
		let go = (): void => {};
		const turn = new Promise<void>((resolve) => {
			go = resolve;
		});
		const entry: Waiting = { go, background, inside: false };
		this.#waiting.push(entry);
		this.#admit();
		return {
			get inside() {
				return entry.inside;
			},
			turn,
			promote: () => {
				entry.background = false;
				this.#admit();
			},
			demote: () => {
				entry.background = true;
			},
			leave: () => {
				const place = this.#waiting.indexOf(entry);
				if (place >= 0) this.#waiting.splice(place, 1);
				else this.#inside -= 1;
				this.#admit();
			},
		};
	}

	#admit(): void {
		const spare = Math.floor(this.#limit / 4);
		for (;;) {
			const foreground = this.#waiting.findIndex((entry) => !entry.background);
			const room = this.#limit - (foreground >= 0 ? 0 : spare) - this.#inside;
			const [next] = room > 0 ? this.#waiting.splice(Math.max(0, foreground), 1) : [];
			if (!next) return;
			this.#inside += 1;
			next.inside = true;
			next.go();
		}
	}
}
