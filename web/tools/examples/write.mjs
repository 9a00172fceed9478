// Writes the example scenarios of the viewer's page to a directory.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { argoverse2Map, argoverse2Tracks } from "./argoverse2.mjs";
import { commonroadXml } from "./commonroad.mjs";
import { interactionMap, interactionTracks } from "./interaction.mjs";
import { nuplanLog, nuplanMap } from "./nuplan.mjs";
import { nuscenesFiles } from "./nuscenes.mjs";
import { scenarionetPickle } from "./scenarionet.mjs";
import { waymoRecords } from "./waymo.mjs";

/** Made up, like everything else in the examples. */
const ID = "00000000-0000-4000-8000-000000000001";

/** Paths of the examples below the directory. */
export const EXAMPLES = {
	argoverse2: `argoverse2/${ID}`,
	commonroad: "commonroad.xml",
	interaction: "interaction/val/DR_Example_val.csv",
	nuplan: "nuplan/example.db",
	nuscenes: "nuscenes/v1.0-example",
	scenarionet: "scenarionet.pkl",
	waymo: "waymo.tfrecord",
};

/** Writes the examples below `folder`. */
export function writeExamples(folder) {
	const scenario = `${folder}/${EXAMPLES.argoverse2}`;
	mkdirSync(scenario, { recursive: true });
	writeFileSync(`${scenario}/scenario_${ID}.parquet`, argoverse2Tracks(ID));
	writeFileSync(`${scenario}/log_map_archive_${ID}.json`, argoverse2Map());
	mkdirSync(`${folder}/${dirname(EXAMPLES.nuplan)}`, { recursive: true });
	writeFileSync(`${folder}/${EXAMPLES.nuplan}`, nuplanLog());
	writeFileSync(`${folder}/${dirname(EXAMPLES.nuplan)}/map.gpkg`, nuplanMap());
	for (const [path, content] of [
		[EXAMPLES.interaction, interactionTracks()],
		["interaction/maps/DR_Example.osm", interactionMap()],
	]) {
		mkdirSync(dirname(`${folder}/${path}`), { recursive: true });
		writeFileSync(`${folder}/${path}`, content);
	}
	for (const [path, content] of nuscenesFiles()) {
		const file = `${folder}/${dirname(EXAMPLES.nuscenes)}/${path}`;
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, content);
	}
	writeFileSync(`${folder}/${EXAMPLES.commonroad}`, commonroadXml());
	writeFileSync(`${folder}/${EXAMPLES.scenarionet}`, scenarionetPickle());
	writeFileSync(`${folder}/${EXAMPLES.waymo}`, waymoRecords());
}
