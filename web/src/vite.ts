/** The parts of Vite's configuration that the plugin sets. */
export interface ViteSettings {
	/** Packages that the development server serves as they are. */
	readonly optimizeDeps: { readonly exclude: string[] };
	/** How workers are built. */
	readonly worker: { readonly format: "es" };
}

/** A plugin of Vite. */
export interface VitePlugin {
	/** Name in Vite's messages. */
	readonly name: string;
	/** Returns the settings, which Vite merges with the project's. */
	config(): ViteSettings;
}

/**
 * Returns a plugin for Vite 5 or newer:
 *
 * ```ts
 * import { bevscope } from "bevscope/vite";
 * export default { plugins: [bevscope()] };
 * ```
 *
 * It excludes the package from dependency optimization: the development servers of Vite
 * 5 to 7 move its scripts away from its modules and workers. It also builds workers as ES
 * modules, because Vite cannot split the code of workers that import this package
 * otherwise. Builds need the plugin only for such workers.
 */
export function bevscope(): VitePlugin {
	return {
		name: "bevscope",
		config: () => ({
			optimizeDeps: { exclude: ["bevscope", "bevscope-viewer"] },
			worker: { format: "es" },
		}),
	};
}
