import { UNPLOTTED } from "../plots/plots-state.js";
import { followsSelection } from "../scene-view/camera.js";
import { PAGE_TICKER, type Ticker } from "../timeline/player.js";
import { Controls } from "./controls.js";
import { Playback } from "./playback.js";
import type { Session } from "./session.js";
import { frameWords } from "./showing.js";
import { frameCount } from "./state.js";

/** Commands that move in the open data set: scenes, frames and playback. */
export class Steering extends Controls {
	/** The open data set. */
	protected session: Session | undefined;
	readonly #playback: Playback;

	constructor(ticker: Ticker = PAGE_TICKER) {
		super();
		this.#playback = new Playback(
			{
				store: this.store,
				span: () => this.span,
				session: () => this.session,
				seek: (frame) => this.seek(frame),
				stopped: () => this.#announce(),
				notify: (notice) => this.notify(notice),
			},
			ticker,
		);
	}

	/** Data time of the playhead in seconds, between frames; undefined while paused. */
	get playhead(): number | undefined {
		return this.#playback.playhead;
	}

	/** Called at each tick of playback. */
	get ticks(): Set<() => void> {
		return this.#playback.ticks;
	}

	/** Displays another scene from `frame`; ignored if the scene does not exist. */
	setScene(scene: number, frame = 0): void {
		const { sceneCount } = this.state;
		if (!this.session || scene < 0 || scene >= sceneCount) return;
		this.pause();
		if (followsSelection(this.state.follow)) this.resetCamera();
		this.store.patch({ selection: undefined, hover: undefined, section: undefined });
		this.store.patch({ ...UNPLOTTED, note: undefined });
		void this.session.openScene(scene, frame);
	}

	/** Seeks to a frame, and announces it to screen readers unless told not to. */
	seek(frame: number, { announce = true }: { announce?: boolean } = {}): void {
		const count = frameCount(this.state);
		if (Number.isNaN(frame)) return;
		// The frame is not clamped until the scene's length is known.
		if (!this.state.sceneInfo) this.session?.goTo(Math.max(0, Math.round(frame)));
		if (count === 0) return;
		const within = Math.min(count - 1, Math.max(0, Math.round(frame)));
		this.#playback.moveTo(within);
		this.session?.goTo(within);
		if (announce && !this.state.playing) this.#announce();
	}

	/** Pauses, and moves by `frames`; negative moves back. */
	step(frames: number): void {
		this.pause();
		this.seek(this.state.frame + frames);
	}

	/** Starts playback, at the end from the first frame. */
	play(): void {
		this.#playback.play();
	}

	/** Stops playback. */
	pause(): void {
		this.#playback.pause();
	}

	/** Retries the failed reads of frames and of the scene. */
	retryUnread(): void {
		this.session?.retry();
	}

	/** Sends requests now that wait because of `Retry-After`. */
	askNow(): void {
		this.session?.askNow();
	}

	/** Starts or stops playback. */
	togglePlay(): void {
		if (this.state.playing) this.pause();
		else this.play();
	}

	#announce(): void {
		this.announce(frameWords(this.state));
	}

	/** Stops playback without an announcement, before the data set is closed. */
	protected stopPlayback(): void {
		this.#playback.stop();
	}
}
