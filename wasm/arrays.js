// Linked into the loaders: what values.cpp hands out as JavaScript objects.
mergeInto(LibraryManager.library, {
	/** A string constant of the module, by its address: read once. */
	$bevConstants: "new Map()",
	$bevConstant__deps: ["$bevConstants"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	$bevConstant: function (at) {
		if (!bevConstants.has(at)) bevConstants.set(at, UTF8ToString(at));
		return bevConstants.get(at);
	},

	/**
	 * In place of Embind's, which makes property descriptors for every object and looks after
	 * smart pointers: there are none here, and who makes an object deletes it.
	 */
	$makeClassHandle__deps: [],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	$makeClassHandle: function (prototype, record) {
		const handle = Object.create(prototype);
		record.count = { value: 1 };
		handle.$$ = record;
		return handle;
	},

	/**
	 * Which of `count` properties an object has, as bits; their numbers, NaN for what is
	 * none, go to `numbers`. `names` are addresses of constants.
	 */
	bev_given__deps: ["$Emval", "$bevConstant"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	bev_given: function (handle, names, count, numbers) {
		const options = Emval.toValue(handle);
		let given = 0;
		for (let i = 0; i < count; i += 1) {
			const value = options[bevConstant(HEAPU32[names / 4 + i])];
			if (value === undefined) continue;
			given |= 1 << i;
			const plain = typeof value === "number" || typeof value === "boolean";
			HEAPF64[numbers / 8 + i] = plain ? Number(value) : Number.NaN;
		}
		return given;
	},

	/**
	 * A list of {name, dtype, shape, data} from `count` structs ArrayForJs; `data` views the
	 * module's memory.
	 */
	bev_arrays_to_js__deps: ["$Emval", "$bevConstant"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	bev_arrays_to_js: function (arrays, count) {
		const list = [];
		const { buffer } = HEAPU8;
		for (let at = arrays / 4; list.length < count; at += 7) {
			const View = globalThis[bevConstant(HEAPU32[at + 2])];
			const axes = HEAPU32[at + 5] / 4;
			const shape = [];
			for (let i = 0; i < HEAPU32[at + 6]; i += 1) shape.push(HEAPU32[axes + i]);
			list.push({
				name: UTF8ToString(HEAPU32[at]),
				dtype: UTF8ToString(HEAPU32[at + 1]),
				shape,
				data: new View(buffer, HEAPU32[at + 3], HEAPU32[at + 4]),
			});
		}
		return Emval.toHandle(list);
	},

	/** A list of {key, begin, end, required, tail} from `count` structs RequestForJs. */
	bev_requests_to_js__deps: ["$Emval"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	bev_requests_to_js: function (requests, count) {
		const list = [];
		for (let at = requests / 8; list.length < count; at += 4) {
			const [begin, end, tail] = [HEAPF64[at], HEAPF64[at + 1], HEAPF64[at + 2]];
			const key = UTF8ToString(HEAPU32[2 * at + 6]);
			list.push({ key, begin, end, required: HEAPU32[2 * at + 7] === 1, tail });
		}
		return Emval.toHandle(list);
	},
});
