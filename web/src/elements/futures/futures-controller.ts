import { Latest } from "../../base/latest.js";
import {
	isMeasured,
	type JoinedFutures,
	type RangedFile,
	type RemoteSubmission,
	type ScenePart,
} from "../../reviewing/remote-futures.js";
import type { Reviewer } from "../../reviewing/reviewer.js";
import type { Overlay } from "../draw/picture.js";
import { joinedAddresses } from "../review/addresses.js";
import type { PicturePart } from "../scene-view/picture-part.js";
import { scenarioOf } from "../scenes/benchmark.js";
import { withOutcomes } from "../session/outcomes.js";
import { whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import { futuresOverlays } from "./futures-drawing.js";
import { futuresParts } from "./futures-parts.js";
import type {
	FuturesPick,
	FuturesSet,
	FuturesState,
	FuturesView,
} from "./futures-state.js";
import {
	drawnSets,
	ordered,
	parseView,
	ranked,
	START,
	selectedTrack,
	viewOf,
	viewText,
} from "./futures-view.js";
import { keyOf, LinkedFiles, localEntry, localName } from "./linked-files.js";
import { RecordedScene } from "./recorded-scene.js";
import { idsAt, partFrame, partsOf } from "./scene-parts.js";
import { ScoreChoice, submissionKey } from "./score-choice.js";
import type { ScoreSource } from "./score-source.js";

/** Submissions that are shown at the same time, each in its colour. */
export const MAX_SETS = 2;

/** A submission that is open, or being opened. */
interface Held {
	readonly key: string;
	/** Its files, with their addresses in links. */
	readonly files: readonly FuturesFrom[];
	readonly opening: AbortController;
	readonly joining: Latest;
	readonly measuring: Latest;
	submission: RemoteSubmission | undefined;
	/** What it has of the displayed scene, and the futures of one of these frames. */
	parts: readonly ScenePart[];
	joined: JoinedFutures | undefined;
}

function heldOf(name: string, files: readonly FuturesFrom[]): Held {
	return {
		...{ key: keyOf(name), files, opening: new AbortController() },
		...{ joining: new Latest(), measuring: new Latest() },
		...{ submission: undefined, parts: [], joined: undefined },
	};
}

/** What is opened as a submission. */
export interface FuturesFrom {
	readonly file: RangedFile;
	readonly address: string | undefined;
}

const NO_PARTS: readonly PicturePart[] = [];

const NEW: Omit<FuturesSet, "key" | "name"> = {
	...{ entries: [], about: undefined, progress: 0, here: undefined },
	...{ curves: undefined, problem: undefined },
};

/** Returns a list with one more item. */
function inserted<T>(list: readonly T[], at: number, item: T): readonly T[] {
	return [...list.slice(0, at), item, ...list.slice(at)];
}

/** Returns a list with another item. */
function replaced<T>(list: readonly T[], at: number, item: T): readonly T[] {
	return [...list.slice(0, at), item, ...list.slice(at + 1)];
}

/** Returns how links name a submission: by the addresses of its files, or its name. */
function entriesOf({ key, files }: Held): readonly string[] {
	const addresses = files.flatMap(({ address }) => address ?? []);
	return addresses.length < files.length ? [localEntry(key)] : addresses;
}

/** Opens submissions, and joins them with the displayed scene. */
export class FuturesController {
	readonly #store: Store<ViewerState>;
	readonly #start: () => Promise<Reviewer>;
	readonly #redraw: () => void;
	#reviewer: Promise<Reviewer> | undefined;
	#held: readonly Held[] = [];
	readonly #recorded = new RecordedScene();
	/** The view of a link, until the first submission is open. */
	#view: FuturesView = START;
	/** The future to show in a scene, once it is measured. */
	#pick: (FuturesPick & { readonly scene: number; readonly held: Held }) | undefined;
	readonly #scores = new ScoreChoice();
	readonly #linked: LinkedFiles;

	/**
	 * @internal
	 * @param redraw called when other overlays are to be drawn
	 */
	constructor(
		store: Store<ViewerState>,
		start: () => Promise<Reviewer>,
		redraw: () => void,
	) {
		this.#store = store;
		this.#start = start;
		this.#redraw = redraw;
		this.#linked = new LinkedFiles(store);
		store.subscribe((state, before) => {
			if (state.sceneInfo !== before.sceneInfo || state.map !== before.map)
				for (const held of this.#held) void this.#join(held);
			else if (state.frame !== before.frame)
				for (const held of this.#held)
					if (
						partFrame(held.parts, state.frame) !== partFrame(held.parts, before.frame)
					)
						void this.#join(held);
			if (state.selection !== before.selection && state.futures) this.#redraw();
		});
	}

	/** Shows what a link does of its files, `entries`, before and after they are opened. */
	show(text: string | undefined, entries: readonly string[]): void {
		this.#view = text === undefined ? START : parseView(text);
		this.#scores.show(text ?? "");
		this.#linked.expect(entries, this.#entries());
		if (this.#store.state.futures) this.change(this.#view);
		else if (this.#linked.awaited.length > 0) this.#patch({});
	}

	/**
	 * Opens a file. A shard of an open submission is added to it; a third submission
	 * replaces the second.
	 */
	async add({ file, address }: FuturesFrom): Promise<void> {
		const key = keyOf(file.name);
		const present = this.#held.findIndex((one) => one.key === key);
		const before = present >= 0 ? this.#held[present] : undefined;
		const shards = before?.files ?? [];
		const held = heldOf(file.name, [
			...shards.filter((one) => one.file.name !== file.name),
			{ file, address },
		]);
		const name = held.files.length > 1 ? key : file.name;
		const entries = entriesOf(held);
		this.#put(held, { ...NEW, key: submissionKey(key), name, entries });
		await this.#open(held);
		await this.#join(held);
	}

	/** Adds the scores of a file; `address` is its address in links. */
	addScores(scores: ScoreSource, address?: string): void {
		// Of planners, whose names are not those of files: "planner idm".
		const entry = address ?? localEntry(scores.key.replace(/^file /, ""));
		this.#scores.add(scores, entry, (others) => this.#linked.place(entry, others));
		this.#patch({});
	}

	/** Removes the scores of a file. */
	removeScores(key: string): void {
		this.#scores.remove(key);
		if (this.#isEmpty) this.#close();
		else this.#patch({});
	}

	/** Ranks a source as A or B; no B by null. */
	compare(side: "a" | "b", key: string | null): void {
		this.#scores.choose(side, key);
		this.#patch({});
	}

	/** Shows why the file at an address could not be opened. */
	fail(name: string, problem: string, address: string): void {
		const held = heldOf(name, []);
		const entries = [address];
		this.#put(held, { ...NEW, key: submissionKey(held.key), name, entries, problem });
	}

	/** Closes a submission. */
	remove(index: number): void {
		const held = this.#held[index];
		if (!held) return;
		this.#end(held);
		this.#held = this.#held.filter((one) => one !== held);
		const sets = this.#store.state.futures?.sets.filter((_, i) => i !== index) ?? [];
		if (!this.#isEmpty) {
			this.change({ active: 0, rollout: undefined });
			this.#patch({ sets });
		} else this.#close();
		this.#redraw();
	}

	/** Changes what is shown. */
	change(view: Partial<FuturesView>): void {
		const { futures } = this.#store.state;
		const before = futures?.view ?? this.#view;
		this.#view = { ...before, ...view };
		if (!futures) return;
		this.#patch({ view: this.#view });
		if (before.seconds !== this.#view.seconds)
			for (const held of this.#held) void this.#measure(held);
		this.#redraw();
	}

	/**
	 * Shows a future of a scene, once its futures are measured; none for the scores of a
	 * file, which may be of another submission than the open ones.
	 */
	goTo(scene: number, pick: FuturesPick): void {
		const { sets = [], scored } = this.#store.state.futures ?? {};
		const at = sets.findIndex(({ key }) => key === scored?.[pick.of]?.key);
		const held = this.#held[at];
		this.#pick = held && { ...pick, scene, held };
		this.#choose();
	}

	/** Shows the futures that `viewOf` reads. */
	choose(which: string): void {
		const view = viewOf(which);
		if (view) this.change(view);
	}

	/** Shows the next future of the list, or the one before; beyond the ends, all. */
	step(direction: -1 | 1): void {
		const { futures } = this.#store.state;
		const here = futures?.sets[futures.view.active]?.here;
		if (!futures || !here) return;
		const list = ordered(here, futures.view);
		const { rollout } = futures.view;
		const at = rollout === undefined ? -1 : list.indexOf(rollout);
		const next =
			rollout === undefined && direction < 0 ? list.length - 1 : at + direction;
		this.change({ rollout: list[next] });
	}

	/** Returns what the picture shows of the submissions. */
	overlays(): readonly Overlay[] {
		const { futures, shown, sceneInfo } = this.#store.state;
		if (!futures || !shown || shown.scene !== sceneInfo?.index) return [];
		const sets = drawnSets(futures.sets);
		return futuresOverlays(sets, {
			...{ scene: shown.scene, frame: shown.frame, view: futures.view },
			track: selectedTrack(this.#store.state),
			several: sets.length > 1,
		});
	}

	/**
	 * Puts a submission in the place of the one with its key, beside another one, in the
	 * order of the link, or in the place of the last.
	 */
	#put(held: Held, set: FuturesSet): void {
		const sets = this.#store.state.futures?.sets ?? [];
		const present = this.#held.findIndex((one) => one.key === held.key);
		if (present < 0 && this.#held.length < MAX_SETS) {
			const [entry = ""] = set.entries;
			const others = sets.map(({ entries }) => entries[0] ?? "");
			const at = this.#linked.place(entry, others);
			this.#held = inserted(this.#held, at, held);
			this.#patch({ sets: inserted(sets, at, set) });
			return;
		}
		const at = present >= 0 ? present : MAX_SETS - 1;
		const before = this.#held[at];
		if (before) this.#end(before);
		this.#held = replaced(this.#held, at, held);
		this.#patch({ sets: replaced(sets, at, set) });
	}

	/** Returns how links name what is open. */
	#entries(sets = this.#store.state.futures?.sets ?? []): readonly string[] {
		const all = [...sets.flatMap(({ entries }) => entries), ...this.#scores.entries];
		return [...new Set(all)]; // a file can have scores of several planners
	}

	/** Whether nothing is open or asked for. */
	get #isEmpty(): boolean {
		const open = this.#held.length + this.#scores.files.length;
		return open + this.#linked.awaited.length === 0;
	}

	/** Ends the work of a submission, and frees its memory. */
	#end(held: Held): void {
		held.opening.abort();
		this.#part(held);
		held.submission?.release();
		held.submission = undefined;
	}

	/** Frees the futures of the scene before. */
	#part(held: Held): void {
		held.joining.cancel();
		held.measuring.cancel();
		held.joined?.release();
		held.joined = undefined;
	}

	async #open(held: Held): Promise<void> {
		const { signal } = held.opening;
		const files = held.files.map(({ file }) => file);
		try {
			this.#reviewer ??= this.#started();
			const reviewer = await this.#reviewer;
			signal.throwIfAborted();
			const all = files.reduce((sum, { size }) => sum + size, 0);
			const submission = await reviewer.submission(files, {
				signal,
				onProgress: (share) =>
					this.#update(held, { progress: (share * (files.at(-1)?.size ?? 0)) / all }),
			});
			if (signal.aborted) return submission.release();
			held.submission = submission;
			const { kind, card, scenarios, notices } = submission;
			if (notices.length > 0)
				this.#store.patch(withOutcomes(this.#store.state, ...notices));
			this.#update(held, { about: { kind, card, scenarios: scenarios.size } });
			this.#patch({});
		} catch (error) {
			if (!signal.aborted) this.#update(held, { problem: whyOf(error) });
		}
	}

	/** Starts the worker; the next submission tries again if that fails. */
	#started(): Promise<Reviewer> {
		const started = this.#start();
		started.catch(() => {
			if (this.#reviewer === started) this.#reviewer = undefined;
		});
		return started;
	}

	/** Joins a submission with the displayed scene: draws it, then measures it. */
	async #join(held: Held): Promise<void> {
		const { dataset, sceneInfo, map } = this.#store.state;
		const { submission } = held;
		this.#part(held);
		held.parts = [];
		const scene = sceneInfo?.index;
		if (!submission || !dataset || scene === undefined) {
			if (submission) this.#show(held, undefined);
			return;
		}
		const scenario = scenarioOf(dataset.attrs, scene);
		const has = scenario !== undefined && submission.scenarios.has(scenario);
		if (!has && !submission.hasParts) return this.#show(held, null);
		// Another map of the same scene changes the measures only.
		if (!this.#recorded.is(dataset, scene)) this.#show(held, undefined);
		const rows = this.#recorded.rows(dataset, scene);
		const lanes = map && { left: map.lanes.left, right: map.lanes.right };
		await held.joining.run(
			async (signal) => {
				const given = await rows;
				held.parts = await partsOf(submission, scenario, given);
				signal.throwIfAborted();
				const ids = idsAt(held.parts, this.#store.state.frame);
				if (ids.length === 0) return undefined;
				const joined = await submission.join(ids, given, { lanes, signal });
				try {
					const here = await joined.read();
					signal.throwIfAborted();
					return { joined, here };
				} catch (error) {
					joined.release();
					throw error;
				}
			},
			{
				done: (found) => {
					held.joined = found?.joined;
					this.#update(held, { problem: undefined });
					this.#show(held, found?.here ?? null);
				},
				discard: (found) => found?.joined.release(),
				failed: (error) => this.#update(held, { problem: whyOf(error) }),
			},
		);
		if (held.joined) await this.#measure(held);
	}

	async #measure(held: Held): Promise<void> {
		const { joined } = held;
		if (!joined) return;
		await held.measuring.run(
			async () => {
				const measures = await joined.measures(this.#view.seconds);
				const set = this.#setOf(held);
				return { measures, curves: set?.curves ?? (await joined.curves()) };
			},
			{
				done: ({ measures, curves }) => {
					const { here } = this.#setOf(held) ?? {};
					if (here) this.#update(held, { here: { ...here, measures }, curves });
					this.#choose();
					this.#redraw();
				},
				failed: (error) => this.#update(held, { problem: whyOf(error) }),
			},
		);
	}

	/** Shows the future that was asked for, if its scene is measured. */
	#choose(): void {
		const { futures, sceneInfo } = this.#store.state;
		const pick = this.#pick;
		if (!pick || !futures || sceneInfo?.index !== pick.scene) return;
		const active = this.#held.indexOf(pick.held);
		const { here } = futures.sets[active] ?? {};
		if (!here || !isMeasured(here)) return;
		this.#pick = undefined;
		const measure = pick.measure ?? futures.view.measure;
		const rollout = pick.rollout ?? ranked(here, measure, pick.which);
		this.change({ active, measure, rollout });
	}

	#setOf(held: Held): FuturesSet | undefined {
		return this.#store.state.futures?.sets[this.#held.indexOf(held)];
	}

	#show(held: Held, here: FuturesSet["here"]): void {
		this.#update(held, { here, curves: undefined });
		this.#redraw();
	}

	#update(held: Held, change: Partial<FuturesSet>): void {
		const at = this.#held.indexOf(held);
		const sets = this.#store.state.futures?.sets;
		const set = sets?.[at];
		if (sets && set) this.#patch({ sets: replaced(sets, at, { ...set, ...change }) });
	}

	#patch(change: Partial<Pick<FuturesState, "sets" | "view">>): void {
		const before = this.#store.state.futures;
		const sets = change.sets ?? before?.sets ?? [];
		const view = change.view ?? before?.view ?? this.#view;
		const open = this.#entries(sets);
		this.#linked.arrived(open);
		const { awaited, asked } = this.#linked;
		const entries = [...open];
		for (const one of awaited) entries.splice(this.#linked.place(one, entries), 0, one);
		const rankable = this.#held.filter(({ submission }) => !submission?.hasParts);
		const ranked = this.#scores.ranked(rankable, view.seconds);
		const compared = this.#scores.text;
		const futures: FuturesState = {
			...{ sets, view, files: this.#scores.files, ...ranked, compared, asked },
			open: this.#entries(sets.filter(({ problem }) => problem === undefined)),
			link: viewText(view, compared),
			address: entries.length > 0 ? joinedAddresses(entries) : undefined,
			local: entries.flatMap((one) => localName(one) ?? []),
			parts: this.#partsOf(sets, view),
			step: (direction) => this.step(direction),
		};
		this.#store.patch({ futures });
	}

	/** Returns the pictures of the submissions, if each has its own. */
	#partsOf(sets: readonly FuturesSet[], view: FuturesView): readonly PicturePart[] {
		const parts = view.split ? futuresParts(sets, view) : NO_PARTS;
		return parts.length > 1 ? parts : NO_PARTS;
	}

	/** Ends the worker. */
	#close(): void {
		this.#recorded.end();
		this.#pick = undefined;
		const reviewer = this.#reviewer;
		this.#reviewer = undefined;
		void reviewer?.then(
			(one) => one.close(),
			() => {},
		);
		this.#view = START;
		this.#store.patch({ futures: undefined });
	}
}
