// Linked into the loader: reads the arguments of operations, converts results to
// JavaScript objects, and replaces a function of Embind. This relies on Embind's internals,
// which change between versions, so linking with any other version fails. To add a version,
// compare its Embind (src/lib/libembind.js) and loader (cut_loader.cmake), and run tests/wasm.
const TRIED_VERSIONS = ["3.1.6", "6.0.5"];
if (!TRIED_VERSIONS.includes(EMSCRIPTEN_VERSION)) {
	throw new Error(
		`wasm/dispatcher.js: untried Emscripten (found ${EMSCRIPTEN_VERSION}, expected ${TRIED_VERSIONS.join(" or ")})`,
	);
}

mergeInto(LibraryManager.library, {
	/** A string constant of the module, by its address: read once. */
	$bevConstants: "new Map()",
	$bevConstant__deps: ["$bevConstants"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	$bevConstant: function (at) {
		if (!bevConstants.has(at)) bevConstants.set(at, UTF8ToString(at));
		return bevConstants.get(at);
	},

	/** The number whose decimal text is at `from`, for strtod.cpp. */
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	bev_number: function (from, length) {
		return Number(UTF8ToString(from, length));
	},

	/**
	 * Replaces Embind's function, which without generated code fills arrays on every call,
	 * and leaks strings when a conversion throws. Bindings take at most five arguments;
	 * wasm functions ignore surplus ones.
	 */
	$craftInvokerFunction__deps: ["$runDestructors", "$throwBindingError"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	$craftInvokerFunction: function (name, types, owner, invoke, target) {
		const [result, self, ...given] = types;
		if (given.length > 5) throwBindingError(`${name}: more than five arguments`);
		const wire = (held, i, value) =>
			i < given.length ? given[i].toWireType(held, value) : undefined;
		return function (...values) {
			if (values.length !== given.length) {
				const found = `${values.length} arguments, expected ${given.length}`;
				throwBindingError(`${name}: ${found}`);
			}
			const held = [];
			try {
				const a = wire(held, 0, values[0]);
				const b = wire(held, 1, values[1]);
				const c = wire(held, 2, values[2]);
				const d = wire(held, 3, values[3]);
				const e = wire(held, 4, values[4]);
				const value =
					owner && self
						? invoke(target, self.toWireType(held, this), a, b, c, d, e)
						: invoke(target, a, b, c, d, e);
				return result.isVoid ? undefined : result.fromWireType(value);
			} finally {
				runDestructors(held);
			}
		};
	},

	/**
	 * The module's property `call`: the arguments of an operation, and its outcome. Passing
	 * them through Embind takes longer than many operations. Also the value that was looked
	 * up last, with its typed array, and the texts of a list.
	 */
	$bevGiven: "{ given: {}, result: {}, last: {}, view: {}, texts: {} }",
	$bevGiven__postset: 'Module["call"] = bevGiven;',
	$bevValueOf__deps: ["$bevGiven", "$bevConstant"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	$bevValueOf: function (name) {
		const value = bevGiven.given[bevConstant(name)];
		bevGiven.last = value;
		return value;
	},

	bev_result_number__deps: ["$bevGiven"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	bev_result_number: function (number) {
		bevGiven.result = number;
	},
	bev_result_array__deps: ["$bevGiven", "$bevConstant"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	bev_result_array: function (view, at, length) {
		bevGiven.result = new globalThis[bevConstant(view)](HEAPU8.buffer, at, length);
	},
	bev_result__deps: ["$Emval", "$bevGiven"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	bev_result: function (handle) {
		bevGiven.result = Emval.toValue(handle);
	},

	/**
	 * These return the size of an argument, -1 if it is not given, -2 if it is of another
	 * kind; bev_argument_copy copies the one that was asked for last.
	 */
	bev_argument_number__deps: ["$bevValueOf"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	bev_argument_number: function (name, out) {
		const value = bevValueOf(name);
		if (value === undefined) return -1;
		if (typeof value !== "number" && typeof value !== "boolean") return -2;
		HEAPF64[out / 8] = Number(value);
		return 1;
	},
	bev_argument_bits__deps: ["$bevValueOf"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	bev_argument_bits: function (name, out) {
		const value = bevValueOf(name);
		if (value === undefined) return -1;
		if (typeof value !== "bigint") return -2;
		new BigUint64Array(HEAPU8.buffer, out, 1)[0] = value;
		return 1;
	},
	$bevUtf8: "new TextEncoder()",
	/** Short texts of ASCII, as most are: an encoder takes longer than many operations. */
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	$bevIsAscii: function (text) {
		if (text.length > 64) return false;
		for (let i = 0; i < text.length; i += 1) {
			if (text.charCodeAt(i) > 127) return false;
		}
		return true;
	},
	bev_argument_text__deps: ["$bevValueOf", "$bevUtf8", "$bevIsAscii"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	bev_argument_text: function (name) {
		const value = name === 0 ? bevGiven.texts.next().value : bevValueOf(name);
		if (value === undefined) return name === 0 ? -2 : -1;
		if (typeof value !== "string") return -2;
		if (!bevIsAscii(value)) bevGiven.last = bevUtf8.encode(value);
		else if (name === 0) bevGiven.last = value;
		bevGiven.view = Uint8Array;
		return bevGiven.last.length;
	},
	bev_argument_texts__deps: ["$bevValueOf"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	bev_argument_texts: function (name) {
		const value = bevValueOf(name);
		if (value === undefined) return -1;
		if (!Array.isArray(value)) return -2;
		bevGiven.texts = value[Symbol.iterator]();
		return value.length;
	},
	bev_argument_array__deps: ["$bevValueOf"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	bev_argument_array: function (name, view) {
		const value = bevValueOf(name);
		if (value === undefined) return -1;
		const found = Object.prototype.toString.call(value).slice(8, -1);
		const expected = bevConstant(view);
		const isWidened = expected === "Float64Array" && found === "Float32Array";
		if (!ArrayBuffer.isView(value) || (found !== expected && !isWidened)) return -2;
		bevGiven.view = globalThis[expected];
		return value.length;
	},
	bev_argument_copy__deps: ["$bevGiven"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	bev_argument_copy: function (to) {
		const last = bevGiven.last;
		const View = bevGiven.view;
		if (typeof last !== "string") new View(HEAPU8.buffer, to, last.length).set(last);
		else for (let i = 0; i < last.length; i += 1) HEAPU8[to + i] = last.charCodeAt(i);
	},

	/**
	 * Returns a list of {name, dtype, shape, data} from `count` ArrayForJs structs; `data`
	 * views the module's memory.
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
