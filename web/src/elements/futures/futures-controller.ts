import { Latest } from "../../base/latest.js";
import type { RangedFile, RemoteSubmission } from "../../reviewing/remote-futures.js";
import type { Reviewer } from "../../reviewing/reviewer.js";
import type { Overlay } from "../draw/picture.js";
import { joinedAddresses } from "../review/addresses.js";
import { scenarioOf } from "../scenes/benchmark.js";
import { whyOf } from "../session/problem.js";
import type { ViewerState } from "../session/state.js";
import type { Store } from "../session/store.js";
import { futuresOverlays } from "./futures-drawing.js";
import type { FuturesSet, FuturesState, FuturesView } from "./futures-state.js";
import { ordered, parseView, START, viewText } from "./futures-view.js";
import { sceneColumns } from "./scene-columns.js";

/** Submissions that are shown at the same time, each in its colour. */
export const MAX_SETS = 2;

/** A submission that is open, or being opened. */
interface Held {
	readonly key: string;
	readonly files: readonly RangedFile[];
	readonly opening: AbortController;
	submission: RemoteSubmission | undefined;
}

/** What is opened as a submission. */
export interface FuturesFrom {
	readonly file: RangedFile;
	readonly address: string | undefined;
}

/** Shards of a submission have the name before their numbers in common. */
function keyOf(name: string): string {
	return name.replace(/-\d{5}-of-\d{5}$/, "");
}

/** Returns a list with another item, or one more. */
function replaced<T>(list: readonly T[], at: number, item: T): readonly T[] {
	return [...list.slice(0, at), item, ...list.slice(at + 1)];
}

/** Opens submissions, and joins them with the displayed scene. */
export class FuturesController {
	readonly #store: Store<ViewerState>;
	readonly #start: () => Promise<Reviewer>;
	readonly #redraw: () => void;
	readonly #joining = new Latest();
	#reviewer: Promise<Reviewer> | undefined;
	#held: readonly Held[] = [];
	/** The view of a link, until the first submission is open. */
	#view: FuturesView = START;

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
		store.subscribe((state, before) => {
			if (state.sceneInfo !== before.sceneInfo || state.map !== before.map)
				void this.#join();
			if (state.selection !== before.selection && state.futures) this.#redraw();
		});
	}

	/** Sets the view that a link has, before its submissions are opened. */
	show(text: string | undefined): void {
		this.#view = text === undefined ? START : parseView(text);
		if (this.#store.state.futures) this.change(this.#view);
	}

	/**
	 * Opens a file. A shard of an open submission is added to it; a third submission
	 * replaces the second.
	 */
	async add({ file, address }: FuturesFrom): Promise<void> {
		const key = keyOf(file.name);
		const present = this.#held.findIndex((one) => one.key === key);
		const at = present >= 0 ? present : Math.min(this.#held.length, MAX_SETS - 1);
		const before = this.#held[at];
		before?.opening.abort();
		before?.submission?.release();
		const shards = present >= 0 ? (before?.files ?? []) : [];
		const files = [...shards.filter(({ name }) => name !== file.name), file];
		const held: Held = {
			...{ key, files, opening: new AbortController() },
			submission: undefined,
		};
		this.#held = replaced(this.#held, at, held);
		const set: FuturesSet = {
			...{ name: files.length > 1 ? key : file.name, address },
			...{ about: undefined, progress: 0, here: undefined, problem: undefined },
		};
		const sets = this.#store.state.futures?.sets ?? [];
		this.#patch({ sets: replaced(sets, at, set) });
		await this.#open(held);
		await this.#join();
	}

	/** Shows why a file could not be opened. */
	fail(name: string, problem: string): void {
		const held: Held = {
			...{ key: keyOf(name), files: [], opening: new AbortController() },
			submission: undefined,
		};
		const at = Math.min(this.#held.length, MAX_SETS - 1);
		this.#held[at]?.submission?.release();
		this.#held = replaced(this.#held, at, held);
		const set = { name, address: undefined, about: undefined, progress: 0 };
		const sets = this.#store.state.futures?.sets ?? [];
		this.#patch({ sets: replaced(sets, at, { ...set, here: undefined, problem }) });
	}

	/** Closes a submission. */
	remove(index: number): void {
		const held = this.#held[index];
		held?.opening.abort();
		held?.submission?.release();
		this.#held = this.#held.filter((one) => one !== held);
		const sets = this.#store.state.futures?.sets.filter((_, i) => i !== index) ?? [];
		if (sets.length > 0) {
			this.change({ active: 0, rollout: undefined });
			this.#patch({ sets });
		} else this.#close();
		this.#redraw();
	}

	/** Changes what is shown. */
	change(view: Partial<FuturesView>): void {
		const { futures } = this.#store.state;
		this.#view = { ...(futures?.view ?? this.#view), ...view };
		if (!futures) return;
		this.#patch({ view: this.#view });
		this.#redraw();
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
		const { futures, shown, sceneInfo, selection } = this.#store.state;
		if (!futures || !shown || shown.scene !== sceneInfo?.index) return [];
		const sets = futures.sets.flatMap(({ here }, index) =>
			here ? [{ futures: here, index }] : [],
		);
		return futuresOverlays(sets, {
			...{ scene: shown.scene, frame: shown.frame, view: futures.view },
			track: typeof selection === "bigint" ? selection : this.#egoTrack(selection),
			several: sets.length > 1,
		});
	}

	/** Returns the id that the ego vehicle has in the source, if it is selected. */
	#egoTrack(selection: ViewerState["selection"]): bigint | undefined {
		if (selection !== "ego") return undefined;
		const { dataset, scene } = this.#store.state;
		return egoTrackOf(dataset?.attrs, scene);
	}

	async #open(held: Held): Promise<void> {
		const { signal } = held.opening;
		const { files } = held;
		try {
			this.#reviewer ??= this.#start();
			const reviewer = await this.#reviewer;
			const all = files.reduce((sum, { size }) => sum + size, 0);
			const submission = await reviewer.submission(files, {
				signal,
				onProgress: (share) =>
					this.#update(held, { progress: (share * (files.at(-1)?.size ?? 0)) / all }),
			});
			held.submission = submission;
			const { kind, card, scenarios } = submission;
			this.#update(held, { about: { kind, card, scenarios: scenarios.size } });
		} catch (error) {
			if (!signal.aborted) this.#update(held, { problem: whyOf(error) });
		}
	}

	/** Joins all submissions with the displayed scene. */
	async #join(): Promise<void> {
		const { futures, dataset, sceneInfo, map } = this.#store.state;
		if (!futures) return;
		this.#patch({ sets: futures.sets.map((set) => ({ ...set, here: undefined })) });
		this.#redraw();
		const scene = sceneInfo?.index;
		const ready = this.#held.filter(({ submission }) => submission);
		if (!dataset || scene === undefined || ready.length === 0) return;
		const scenario = scenarioOf(dataset.attrs, scene);
		const has = ready.filter(
			({ submission }) => scenario !== undefined && submission?.scenarios.has(scenario),
		);
		for (const held of ready)
			if (!has.includes(held)) this.#update(held, { here: null });
		if (has.length === 0 || scenario === undefined) return;
		await this.#joining.run(
			async (signal) => {
				const rows = await sceneColumns(dataset, scene, signal);
				const lanes = map && { left: map.lanes.left, right: map.lanes.right };
				for (const held of has) {
					const here = await held.submission?.scene(scenario, rows, { lanes, signal });
					if (here) this.#update(held, { here, problem: undefined });
				}
			},
			{
				done: () => this.#redraw(),
				failed: (error) => {
					for (const held of has) this.#update(held, { problem: whyOf(error) });
				},
			},
		);
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
		const addresses = sets.map(({ address }) => address);
		const named = addresses.filter((address) => address !== undefined);
		const futures: FuturesState = {
			...{ sets, view, link: viewText(view) },
			address: named.length === sets.length ? joinedAddresses(named) : undefined,
			step: (direction) => this.step(direction),
		};
		this.#store.patch({ futures });
	}

	/** Ends the worker. */
	#close(): void {
		this.#joining.cancel();
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

/** Returns the id of the ego vehicle in the source of a converted scene. */
export function egoTrackOf(
	attrs: Readonly<Record<string, unknown>> | undefined,
	scene: number,
): bigint | undefined {
	const { bevscope } = (attrs ?? {}) as {
		bevscope?: { scenes?: readonly { ego_track_id?: unknown }[] };
	};
	const id = bevscope?.scenes?.[scene]?.ego_track_id;
	return Number.isSafeInteger(id) ? BigInt(`${id}`) : undefined;
}
