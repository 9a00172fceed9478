import { Latest } from "../../base/latest.js";
import type { Geodetic, MapView } from "../../dataset/map-view.js";
import type { Point } from "./camera.js";

/** Converts the latest point to geodetic coordinates, one request at a time. */
export class EarthPoint {
	readonly #onChange: (place: Geodetic | undefined, of?: Point) => void;
	#map: MapView | undefined;
	#wanted: Point | undefined;
	readonly #asking = new Latest();

	/** @param onChange called with each result and its point */
	constructor(onChange: (place: Geodetic | undefined, of?: Point) => void) {
		this.#onChange = onChange;
	}

	/**
	 * Requests the coordinates of `point`; the result is undefined without a map or
	 * point.
	 */
	ask(map: MapView | undefined, point: Point | undefined): void {
		const { x, y } = this.#wanted ?? {};
		if (map === this.#map && x === point?.x && y === point?.y) return;
		if (map !== this.#map) this.#asking.cancel();
		this.#map = map;
		this.#wanted = point;
		if (!map || !point) this.#onChange(undefined);
		else if (!this.#asking.isBusy) void this.#answer(map, point);
	}

	async #answer(map: MapView, point: Point): Promise<void> {
		const done = (place: Geodetic | undefined): void => {
			if (!this.#wanted) return;
			this.#onChange(place, point);
			if (this.#wanted !== point) void this.#answer(map, this.#wanted);
		};
		// A map released meanwhile rejects; the position is then unknown.
		const failed = (): void => done(undefined);
		await this.#asking.run(() => map.geodetic(point.x, point.y), { done, failed });
	}
}

/** Formats coordinates as degrees with hemisphere, precise to a decimetre. */
export function earthWords({ latitude, longitude }: Geodetic): string {
	const north = `${Math.abs(latitude).toFixed(6)}° ${latitude < 0 ? "S" : "N"}`;
	return `${north} ${Math.abs(longitude).toFixed(6)}° ${longitude < 0 ? "W" : "E"}`;
}
