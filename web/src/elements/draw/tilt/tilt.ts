/** The code of tilted pictures, loaded with the first one. */
import { paintLetters, paintSolids, solidOutline } from "./paint-solids.js";
import { pickedAgent, pickedLight } from "./pick-solids.js";
import type { SolidCode } from "./solid-code.js";

export const SOLIDS: SolidCode = {
	paint: paintSolids,
	paintOver: paintLetters,
	outlineOf: solidOutline,
	picked: pickedAgent,
	pickedLight,
};
