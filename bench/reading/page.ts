// The script of the benchmark's page; bundled with the other readers.
import { Core, type CoreModule } from "../../web/src/core/core.js";
import type * as Bevscope from "../../web/src/index.js";
import { ChunkBench } from "./chunks.js";
import { obey } from "./obey.js";
import { HttpBench } from "./over-http.js";

/** The published package, loaded from the server. */
interface Package {
	readonly instantiate: (module: WebAssembly.Module) => Promise<CoreModule>;
	readonly lib: typeof Bevscope;
}

async function read(key: string): Promise<Uint8Array | undefined> {
	const response = await fetch(`/town/${key}`);
	return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
}

/** Executes the calls of `control` for both benchmarks of this page. */
export function follow(control: string, { instantiate, lib }: Package): Promise<never> {
	return obey(control, async () => {
		const compiled = WebAssembly.compileStreaming(fetch("/dist/wasm/bev_core.wasm"));
		const core = new Core(await instantiate(await compiled));
		const { origin } = location;
		return {
			chunks: await ChunkBench.create(core, read),
			http: new HttpBench(lib, `${origin}/town`, `${origin}/plain`),
		};
	});
}
