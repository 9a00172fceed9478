// Linked into the loaders: what values.cpp hands out as JavaScript objects.
mergeInto(LibraryManager.library, {
	/**
	 * A list of {name, dtype, shape, data} from `count` structs ArrayForJs; `data` views the
	 * module's memory.
	 */
	bev_arrays_to_js__deps: ["$Emval"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	bev_arrays_to_js: function (arrays, count) {
		const list = [];
		for (let at = arrays / 4; list.length < count; at += 7) {
			const shape = HEAPU32[at + 5] / 4;
			const View = globalThis[UTF8ToString(HEAPU32[at + 2])];
			list.push({
				name: UTF8ToString(HEAPU32[at]),
				dtype: UTF8ToString(HEAPU32[at + 1]),
				shape: Array.from(HEAPU32.subarray(shape, shape + HEAPU32[at + 6])),
				data: new View(HEAPU8.buffer, HEAPU32[at + 3], HEAPU32[at + 4]),
			});
		}
		return Emval.toHandle(list);
	},
});
