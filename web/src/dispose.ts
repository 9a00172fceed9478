/**
 * Defines `Symbol.dispose` in browsers without it (before Chrome 134, Firefox 141).
 * Import this module before a class with a `[Symbol.dispose]` method is defined.
 */
if (Symbol.dispose === undefined) {
	Object.defineProperty(Symbol, "dispose", { value: Symbol.for("Symbol.dispose") });
}
