/**
 * `Symbol.dispose` for browsers that have none (before Chrome 134, Firefox 141). Import
 * this module before any class with a `[Symbol.dispose]` method is defined.
 */
if (Symbol.dispose === undefined) {
	Object.defineProperty(Symbol, "dispose", { value: Symbol.for("Symbol.dispose") });
}
