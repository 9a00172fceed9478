/** Maximum number of outcomes shown at once. */
const MAX_OUTCOMES = 5;

/** What of the open data a fault concerns. */
export type FaultCode =
	| "aerial"
	| "cameras"
	| "chunk"
	| "empty"
	| "map"
	| "notes"
	| "plots"
	| "tracks";

/** Something of the open data that could not be read or shown. */
export interface DataFault {
	readonly code: FaultCode;
	/** What is affected. */
	readonly what: string;
	/** What happened, and why. */
	readonly why?: string | undefined;
	/** The message of the error that caused it. */
	readonly cause?: string | undefined;
	/** The object that caused it. */
	readonly key?: string | undefined;
}

/** Faults that `Session.retry` reads again. */
const RETRIED: readonly FaultCode[] = ["map", "plots", "tracks"];

/** Returns whether a retry reads it again. */
export function isRetried({ code }: DataFault): boolean {
	return RETRIED.includes(code);
}

/** A message for the user. */
export interface Told {
	/** Faults of the data and outcomes of actions, newest last. */
	readonly notices: readonly string[];
	/** Those that are outcomes, with the number of times they were told. */
	readonly outcomes: ReadonlyMap<string, number>;
	/** Those that are faults. */
	readonly faults: ReadonlyMap<string, DataFault>;
}

/** Returns the notices with outcomes, each once; those that are shown become the newest. */
export function withOutcomes(
	state: Told,
	...told: readonly string[]
): Omit<Told, "faults"> {
	const outcomes = new Map(state.outcomes);
	for (const one of told) outcomes.set(one, (outcomes.get(one) ?? 0) + 1);
	const all = [...state.notices, ...told];
	const last = all.filter((notice, i) => all.lastIndexOf(notice) === i);
	const shown = last.filter((notice) => outcomes.has(notice)).slice(-MAX_OUTCOMES);
	return {
		notices: last.filter((one) => !outcomes.has(one) || shown.includes(one)),
		outcomes: new Map([...outcomes].filter(([one]) => shown.includes(one))),
	};
}

/** Returns the notices with a fault, which becomes the newest. */
export function withFault(state: Told, fault: DataFault): Omit<Told, "outcomes"> {
	const { what, why } = fault;
	const notice = why === undefined ? what : `${what}: ${why}`;
	return {
		notices: [...state.notices.filter((one) => one !== notice), notice],
		faults: new Map(state.faults).set(notice, fault),
	};
}

/** Returns the notices without these. */
export function without(state: Told, gone: (notice: string) => boolean): Told {
	const kept = <T>(all: ReadonlyMap<string, T>): Map<string, T> =>
		new Map([...all].filter(([notice]) => !gone(notice)));
	return {
		notices: state.notices.filter((notice) => !gone(notice)),
		outcomes: kept(state.outcomes),
		faults: kept(state.faults),
	};
}
