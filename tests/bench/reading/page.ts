// What the page of the bench runs; bundled, with the other readers in it.
import type { CoreModule } from "../../../web/src/core.js";
import type * as Bevscope from "../../../web/src/index.js";
import { ChunkBench } from "./chunks.js";
import { obey } from "./obey.js";
import { HttpBench } from "./over-http.js";

/** The package as it is published, loaded from where it is served. */
interface Package {
	readonly instantiate: (module: WebAssembly.Module) => Promise<CoreModule>;
	readonly lib: typeof Bevscope;
}

async function read(key: string): Promise<Uint8Array | undefined> {
	const response = await fetch(`/town/${key}`);
	return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
}

/** Does what `control` asks of both benches of this page. */
export function follow(control: string, { instantiate, lib }: Package): Promise<never> {
	return obey(control, async () => {
		const compiled = WebAssembly.compileStreaming(fetch("/dist/wasm/bev_core.wasm"));
		const core = await instantiate(await compiled);
		const { origin } = location;
		return {
			chunks: await ChunkBench.create(core, read),
			http: new HttpBench(lib, `${origin}/town`, `${origin}/plain`),
		};
	});
}
