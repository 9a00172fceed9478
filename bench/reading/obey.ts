/** A function of one of the page's benchmarks. */
export interface Call {
	readonly bench: "chunks" | "http";
	readonly call: "wrong" | "round";
	readonly round: number;
}

/** The result of a call. */
export interface Outcome {
	readonly answer?: unknown;
	readonly error?: string;
}

export type Benches = Record<
	Call["bench"],
	Record<Call["call"], (round: number) => Promise<unknown>>
>;

/**
 * Runs in a page: creates the benchmarks, then executes the calls of `control` until it
 * closes.
 */
export async function obey(
	control: string,
	create: () => Promise<Benches>,
): Promise<never> {
	const creating = create();
	let outcome = await outcomeOf(async () => void (await creating));
	for (;;) {
		const asked = await fetch(control, {
			method: "POST",
			body: JSON.stringify(outcome),
		});
		const { bench, call, round } = (await asked.json()) as Call;
		outcome = await outcomeOf(async () => (await creating)[bench][call](round));
	}
}

async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
	try {
		return { answer: await work() };
	} catch (error) {
		return { error: error instanceof Error ? (error.stack ?? "") : String(error) };
	}
}
