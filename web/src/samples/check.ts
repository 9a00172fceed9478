import { check, checkOptions, type Kinds } from "../base/arguments.js";
import { coreNames, optionNames } from "../base/names.js";
import { checkPlain } from "../base/plain.js";
import type { CorePerturbation, CoreSampleOptions } from "../core/options.js";
import type { SampleAt } from "../worker/protocol.js";
import type { AgentsMask, EgoSampleOptions } from "./options.js";

const SAMPLE: Kinds = {
	...{ signal: "any", root: "any", map: "any", meta: "any", aerial: "any" },
	...{ vectorized: "flag", image: "text" },
};

const PERTURBATION: Kinds = {
	...{ kind: "text", probability: "number", mean: "list", deviation: "list" },
	...{ seed: "index", offsetSeed: "index", minDisplacement: "number" },
};

/** Rules of an agent data set, whose label threshold is that of the config. */
const LIMITS: Kinds = {
	...{ maxYawStepDeg: "number", maxExtentRatio: "number" },
	...{ maxDistanceToEgo: "number" },
};

/** Kinds of `SelectionRules`. */
const RULES: Kinds = { ...LIMITS, labelThreshold: "number" };

const EGO: Kinds = { ...SAMPLE, perturbation: "options" };

const AGENT: Kinds = {
	...{ ...SAMPLE, ...LIMITS, mask: "object" },
	...{ minFrameHistory: "index", minFrameFuture: "index" },
};

const OPTIONS = {
	ego: EGO,
	agent: AGENT,
	ego_agent: { ...AGENT, ...EGO, onProgress: "any" },
} satisfies Record<NonNullable<CoreSampleOptions["kind"]>, Kinds>;

/** Checks the rules of a selection; returns them in the core's notation. */
export function selectionRules(rules: object): Record<string, unknown> {
	check("selection", rules, "options");
	checkOptions("selection", optionNames("selection", rules), RULES);
	return coreNames("selection", rules);
}

/** Checks the arguments of a data set of samples. */
export function checkSampleOptions(
	kind: keyof typeof OPTIONS,
	config: unknown,
	options: { readonly perturbation?: object | undefined },
): void {
	if (typeof config !== "string") check("config", config ?? null, "options");
	checkPlain("config", config);
	check("samples", options, "options");
	checkOptions("samples", optionNames("samples", options), OPTIONS[kind]);
	const { perturbation } = options;
	check("samples: perturbation", perturbation, "options");
	if (!perturbation) return;
	const of = "samples: perturbation";
	checkOptions(of, optionNames(of, perturbation), PERTURBATION);
}

/** Returns the perturbation in the core's notation. */
export function perturbationOf({ perturbation }: EgoSampleOptions): {
	perturbation?: CorePerturbation;
} {
	if (!perturbation) return {};
	const { kind: _, mean = [0, 0, 0], deviation = [0, 0, 0], ...rest } = perturbation;
	return {
		perturbation: {
			...coreNames("samples: perturbation", rest),
			mean: Float64Array.from(mean),
			deviation: Float64Array.from(deviation),
		},
	};
}

/** Checks where a sample is. */
export function checkPlace(at: SampleAt): void {
	for (const [name, value] of Object.entries(at))
		check(`sample: ${name}`, value, name === "track" ? "track" : "integer");
}

/** Whether a value is one of the masks that the core takes. */
export function isMask(mask: unknown): mask is AgentsMask {
	return mask instanceof Uint8Array || mask instanceof Uint32Array;
}
