// Linked into the loaders after arrays.js, which limits the versions of Emscripten:
// replaces functions of Embind by ones for what the bindings use. These have classes with
// raw pointers and at most one base, whose objects the creator deletes, and neither
// overloads, smart pointers nor wide strings. Takes 40 % off the loader.
// Emscripten's optimizer omits variables named as members of objects ("constructor") and
// such of `let [a, b] = [c, d]`.
mergeInto(LibraryManager.library, {
	$bevDecoder: "new TextDecoder('utf-8', { ignoreBOM: true })",
	$bevEncoder: "new TextEncoder()",

	/** The text between two addresses. */
	$bevDecode__deps: ["$bevDecoder"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	$bevDecode: function (begin, end) {
		return bevDecoder.decode(HEAPU8.subarray(begin, end));
	},

	/** The text from an address to the next zero. */
	$bevText__deps: ["$bevDecode"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	$bevText: function (at) {
		return at ? bevDecode(at, HEAPU8.indexOf(0, at)) : "";
	},

	$readLatin1String__deps: ["$bevText"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	$readLatin1String: function (at) {
		return bevText(at);
	},

	$extendError__deps: [],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	$extendError: function (base, name) {
		return class extends base {
			constructor(message) {
				super(message);
				this.name = name;
			}
		};
	},

	/** Stands for a function until all its types are registered. */
	$bevUnbound__deps: ["$throwBindingError"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	$bevUnbound: function (name) {
		return () => throwBindingError(`${name}: unbound types`);
	},

	$embind__requireFunction__deps: [],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	$embind__requireFunction: function (_signature, at) {
		return getWasmTableEntry(at);
	},

	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	$emval_get_global: function () {
		return globalThis;
	},

	// Without $init_emval, which adds functions that count handles.
	$Emval__deps: ["$emval_handle_array", "$emval_free_list", "$throwBindingError"],

	/** The methods of all objects. */
	$bevHandle__deps: ["$throwBindingError"],
	$bevHandle: {
		delete: function () {
			const { ptr, known } = this.$$;
			if (!ptr) throwBindingError(`${known.name} instance already deleted`);
			known.destroy(ptr);
			this.$$.ptr = 0;
		},
	},

	/**
	 * Returns the conversions of objects of a class: `fromWireType` makes one that owns a
	 * pointer, `toWireType` returns the pointer to it or to its base.
	 */
	$bevPointer__deps: ["$simpleReadValueFromPointer", "$throwBindingError"],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	$bevPointer: function (name, known, isReference) {
		return {
			name,
			known,
			argPackAdvance: 8,
			readValueFromPointer: simpleReadValueFromPointer,
			fromWireType(ptr) {
				if (!ptr) return null;
				const object = Object.create(known.methods);
				object.$$ = { ptr, known };
				return object;
			},
			toWireType(_held, object) {
				if (object === null && !isReference) return 0;
				const { ptr, known: own } = (object ?? 0).$$ ?? {};
				if (!own) throwBindingError(`Cannot pass "${String(object)}" as a ${name}`);
				if (!ptr) throwBindingError(`Cannot pass deleted object as a ${name}`);
				let at = ptr;
				let found = own;
				for (; found && found !== known; found = found.base) {
					if (found.upcast) at = found.upcast(at);
				}
				if (!found) throwBindingError(`Cannot pass ${own.name} as a ${name}`);
				return at;
			},
		};
	},

	_embind_register_class__deps: [
		"$bevHandle",
		"$bevPointer",
		"$embind__requireFunction",
		"$readLatin1String",
		"$throwBindingError",
		"$whenDependentTypesAreResolved",
	],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	_embind_register_class: function (...given) {
		const [type, pointer, constPointer, baseType] = given;
		const [upcast, named, destroy] = [given[7], given[10], given[12]];
		const name = readLatin1String(named);
		const bases = baseType ? [baseType] : [];
		whenDependentTypesAreResolved([type, pointer, constPointer], bases, ([of]) => {
			// biome-ignore lint/complexity/useArrowFunction: called with new
			const Made = function (...values) {
				if (!known.create) throwBindingError(`${name}: no constructor`);
				return known.create(...values);
			};
			const base = of ? of.known : undefined;
			const methods = Object.create(base ? base.methods : bevHandle);
			methods.constructor = Made;
			Made.prototype = methods;
			const known = {
				name,
				methods,
				base,
				upcast: upcast && getWasmTableEntry(upcast),
				destroy: getWasmTableEntry(destroy),
			};
			Module[name] = Made;
			return [name, `${name}*`, `${name} const*`].map((title) =>
				bevPointer(title, known, title === name),
			);
		});
	},

	_embind_register_class_constructor__deps: [
		"$craftInvokerFunction",
		"$heap32VectorToArray",
		"$whenDependentTypesAreResolved",
	],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	_embind_register_class_constructor: function (...given) {
		const [type, count, types, , invoker, target] = given;
		const wanted = [type, ...heap32VectorToArray(count, types)];
		whenDependentTypesAreResolved([], wanted, ([owner, result, ...taken]) => {
			const name = `constructor ${owner.name}`;
			const invoke = getWasmTableEntry(invoker);
			owner.known.create = craftInvokerFunction(
				name,
				[result, null, ...taken],
				null,
				invoke,
				target,
			);
			return [];
		});
	},

	_embind_register_class_function__deps: [
		"$bevUnbound",
		"$craftInvokerFunction",
		"$heap32VectorToArray",
		"$readLatin1String",
		"$whenDependentTypesAreResolved",
	],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	_embind_register_class_function: function (...given) {
		const [type, named, count, types, , invoker, target] = given;
		const wanted = heap32VectorToArray(count, types);
		const invoke = getWasmTableEntry(invoker);
		const name = readLatin1String(named);
		whenDependentTypesAreResolved([], [type], ([owner]) => {
			const { methods } = owner.known;
			const title = `${owner.name}.${name}`;
			methods[name] = bevUnbound(title);
			whenDependentTypesAreResolved([], wanted, (found) => {
				methods[name] = craftInvokerFunction(title, found, owner, invoke, target);
				return [];
			});
			return [];
		});
	},

	_embind_register_function__deps: [
		"$bevUnbound",
		"$craftInvokerFunction",
		"$heap32VectorToArray",
		"$readLatin1String",
		"$whenDependentTypesAreResolved",
	],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	_embind_register_function: function (...given) {
		const [named, count, types, , invoker, target] = given;
		const wanted = heap32VectorToArray(count, types);
		const invoke = getWasmTableEntry(invoker);
		const name = readLatin1String(named);
		Module[name] = bevUnbound(name);
		whenDependentTypesAreResolved([], wanted, ([result, ...taken]) => {
			Module[name] = craftInvokerFunction(
				name,
				[result, null, ...taken],
				null,
				invoke,
				target,
			);
			return [];
		});
	},

	/** Strings are their length and UTF-8 bytes; bytes are taken as they are. */
	_embind_register_std_string__deps: [
		"$bevDecode",
		"$bevEncoder",
		"$readLatin1String",
		"$registerType",
		"$simpleReadValueFromPointer",
		"$throwBindingError",
	],
	// biome-ignore lint/complexity/useArrowFunction: Emscripten 3.1.6 takes functions only
	_embind_register_std_string: function (type, named) {
		registerType(type, {
			name: readLatin1String(named),
			argPackAdvance: 8,
			readValueFromPointer: simpleReadValueFromPointer,
			fromWireType(at) {
				const text = bevDecode(at + 4, at + 4 + HEAPU32[at >> 2]);
				_free(at);
				return text;
			},
			toWireType(held, value) {
				const bytes = typeof value === "string" ? bevEncoder.encode(value) : value;
				if (!(bytes instanceof Uint8Array)) throwBindingError("Cannot pass non-string");
				const at = _malloc(bytes.length + 4);
				HEAPU32[at >> 2] = bytes.length;
				HEAPU8.set(bytes, at + 4);
				if (held !== null) held.push(_free, at);
				return at;
			},
		});
	},
});
