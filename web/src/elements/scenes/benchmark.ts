/** What a prediction benchmark says of a scene that was converted from its data set. */
export interface Benchmark {
	/** The last observed frame: predictions begin after it. */
	readonly anchor: number | undefined;
	/** Tracks to predict: "focal" or "scored". */
	readonly roles: ReadonlyMap<bigint, string>;
}

const NONE: Benchmark = { anchor: undefined, roles: new Map() };

const known = new WeakMap<object, Benchmark>();

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null;
}

/** Returns the numbers in an attribute, a number or a list of them. */
function tracksIn(value: unknown): bigint[] {
	return [value]
		.flat()
		.flatMap((id) => (Number.isSafeInteger(id) ? BigInt(`${id}`) : []));
}

function read(scene: Readonly<Record<string, unknown>>): Benchmark {
	const scored = tracksIn(scene.scored);
	const focal = [
		...tracksIn(scene.focal),
		...tracksIn(scene.objects_of_interest).filter((track) => scored.includes(track)),
	];
	const { anchor_frame: anchor } = scene;
	return {
		anchor: Number.isSafeInteger(anchor) ? Number(anchor) : undefined,
		roles: new Map([
			...scored.map((track) => [track, "scored"] as const),
			...focal.map((track) => [track, "focal"] as const),
		]),
	};
}

/** Returns what a converted data set says of a scene. */
export function sceneAttributes(
	attrs: Readonly<Record<string, unknown>> | undefined,
	scene: number,
): Readonly<Record<string, unknown>> | undefined {
	const { bevscope } = attrs ?? {};
	const scenes = isRecord(bevscope) ? bevscope.scenes : undefined;
	const found = Array.isArray(scenes) ? scenes[scene] : undefined;
	return isRecord(found) ? found : undefined;
}

/**
 * Returns the scenario that a scene was converted from; undefined for recorded scenes.
 * The clocks of Argoverse 2 and Waymo are relative: their scenes have no date.
 */
export function scenarioOf(
	attrs: Readonly<Record<string, unknown>> | undefined,
	scene: number,
): string | undefined {
	const id = sceneAttributes(attrs, scene)?.scenario_id;
	return typeof id === "string" ? id : undefined;
}

/** Returns the benchmark of a scene from the data set's attributes, if they have one. */
export function benchmarkOf(
	attrs: Readonly<Record<string, unknown>> | undefined,
	scene: number,
): Benchmark {
	const found = sceneAttributes(attrs, scene);
	if (!found) return NONE;
	const benchmark = known.get(found) ?? read(found);
	known.set(found, benchmark);
	return benchmark;
}
