import type { Pictured, PicturePart } from "../scene-view/picture-part.js";
import type { FuturesSet, FuturesView } from "./futures-state.js";
import { drawnSets, shownFuture } from "./futures-view.js";

/** Returns the pictures of the submissions that have the displayed scene, one each. */
export function futuresParts(
	sets: readonly FuturesSet[],
	view: FuturesView,
): readonly PicturePart[] {
	const drawn = drawnSets(sets);
	return drawn.map(({ index }) => {
		const name = sets[index]?.name ?? "";
		const future = shownFuture(drawn, index, view);
		return {
			name: typeof future === "number" ? `${name}, future ${future}` : name,
			mark: `set-${index + 1}`,
			only: <T extends Pictured>(state: T): T => {
				const simulated = state.simulated.filter(
					(one) => !("set" in one) || one.set === index,
				);
				return { ...state, simulated };
			},
		};
	});
}
