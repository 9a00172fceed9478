import type { FrameRange, Playhead } from "../timeline/clock.js";
import { Player, type Ticker } from "../timeline/player.js";
import type { Session } from "./session.js";
import { frameCount, type ViewerState } from "./state.js";
import type { Store } from "./store.js";

/** What playback moves. */
export interface PlaybackHost {
	readonly store: Store<ViewerState>;
	/** The frames that loop playback repeats. */
	span(): FrameRange;
	/** The open data set. */
	session(): Pick<Session, "goTo" | "loader"> | undefined;
	/** Seeks, and moves the playhead. */
	seek(frame: number): void;
	/** Announces the frame at which playback stopped. */
	stopped(): void;
	notify(notice: string): void;
}

/** Starts, advances and stops playback. */
export class Playback {
	/** Called at each tick. */
	readonly ticks = new Set<() => void>();
	readonly #host: PlaybackHost;
	readonly #player: Player;
	#playhead: number | undefined;

	constructor(host: PlaybackHost, ticker: Ticker) {
		this.#host = host;
		this.#player = new Player(ticker, {
			seconds: () => this.#state.sceneInfo?.seconds ?? [],
			speed: () => this.#state.speed,
			isLoaded: (frame) => host.session()?.loader?.has(frame) ?? false,
			loop: () => (this.#state.loop ? host.span() : undefined),
			onTick: (head, waiting) => this.#onTick(head, waiting),
		});
	}

	/**
	 * Data time of the playhead in seconds, between frames; undefined while paused, and
	 * while another viewer of the group plays.
	 */
	get playhead(): number | undefined {
		return this.#state.playing ? this.#playhead : undefined;
	}

	get #state(): ViewerState {
		return this.#host.store.state;
	}

	/** Starts, at the end from the first frame. */
	play(): void {
		const host = this.#host;
		const count = frameCount(this.#state);
		if (count < 2 || this.#state.playing) return;
		const { begin, end } = this.#state.loop ? host.span() : { begin: 0, end: count };
		const { frame } = this.#state;
		if (frame < begin || frame >= end - 1) host.seek(begin);
		if (!this.#skipUnreadable(end)) return;
		host.store.patch({ playing: true, announcement: "" });
		this.#player.start(this.#state.frame);
		this.#playhead = this.#state.sceneInfo?.seconds[this.#state.frame];
	}

	/** Stops; does nothing while paused. */
	pause(): void {
		if (!this.#state.playing) return;
		this.stop();
		this.#ended();
	}

	/** Continues from `frame`. */
	moveTo(frame: number): void {
		this.#player.moveTo(frame);
	}

	/** Stops the player when the scene is closed; the state is not changed. */
	stop(): void {
		this.#player.stop();
		this.#playhead = undefined;
	}

	#ended(): void {
		this.#host.store.patch({ playing: false, stalled: false });
		this.#host.stopped();
	}

	#onTick(head: Playhead, waiting: boolean): void {
		const host = this.#host;
		this.#playhead = head.time;
		for (const tell of this.ticks) tell();
		host.store.patch({ stalled: waiting });
		if (head.frame !== this.#state.frame) host.session()?.goTo(head.frame);
		// Playback waits for a frame that failed.
		const next = head.frame + 1;
		const failed = host.session()?.loader?.failure(next) !== undefined;
		if (this.#state.playing && waiting && failed) host.session()?.goTo(next);
		if (head.ended && this.#state.playing) this.#ended();
	}

	/**
	 * Seeks from an unreadable frame to the next readable one before `end`; returns false
	 * if there is none.
	 */
	#skipUnreadable(end: number): boolean {
		const loader = this.#host.session()?.loader;
		const from = this.#state.frame;
		let frame = from;
		while (frame < end && loader?.failure(frame) !== undefined) frame += 1;
		if (frame === from) return true;
		const span =
			from === frame - 1 ? `Frame ${from}` : `Frames ${from} to ${frame - 1}`;
		this.#host.notify(`${span} skipped: read failed`);
		if (frame < end) this.#host.seek(frame);
		return frame < end;
	}
}
