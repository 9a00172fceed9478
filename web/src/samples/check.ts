import { check, checkOptions, type Kinds } from "../base/arguments.js";
import { checkPlain } from "../base/plain.js";
import type { CoreSampleOptions } from "../core/options.js";
import type { SampleAt } from "../worker/protocol.js";
import type { AgentsMask } from "./options.js";

const SAMPLE: Kinds = {
	...{ signal: "any", root: "any", map: "any", meta: "any", aerial: "any" },
	...{ vectorized: "flag", image: "text" },
};

const PERTURBATION: Kinds = {
	...{ kind: "text", probability: "number", mean: "list", deviation: "list" },
	...{ seed: "index", offset_seed: "index", min_displacement: "number" },
};

/** Rules of an agent data set, whose label threshold is that of the config. */
const LIMITS: Kinds = {
	...{ max_yaw_step_deg: "number", max_extent_ratio: "number" },
	...{ max_distance_to_ego: "number" },
};

/** Kinds of `SelectionRules`. */
export const RULES: Kinds = { ...LIMITS, label_threshold: "number" };

const EGO: Kinds = { ...SAMPLE, perturbation: "options" };

const AGENT: Kinds = {
	...{ ...SAMPLE, ...LIMITS, mask: "object" },
	...{ min_frame_history: "index", min_frame_future: "index" },
};

const OPTIONS = {
	ego: EGO,
	agent: AGENT,
	ego_agent: { ...AGENT, ...EGO, onProgress: "any" },
} satisfies Record<NonNullable<CoreSampleOptions["kind"]>, Kinds>;

/** Checks the arguments of a data set of samples. */
export function checkSampleOptions(
	kind: keyof typeof OPTIONS,
	config: unknown,
	options: { readonly perturbation?: unknown; readonly mask?: unknown },
): void {
	if (typeof config !== "string") check("config", config ?? null, "options");
	checkPlain("config", config);
	checkOptions("samples", options, OPTIONS[kind]);
	const { perturbation } = options;
	if (perturbation) checkOptions("samples: perturbation", perturbation, PERTURBATION);
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
