import { nuscenesFiles } from "../../web/tools/examples/nuscenes.mjs";

/** The example of nuScenes, by path below its folder. */
export const NUSCENES_FILES = nuscenesFiles();
export const NUSCENES_VERSION = "v1.0-example";

const STEPS = 12;

interface Annotation {
	readonly sample_token: string;
	readonly instance_token: string;
	readonly translation: readonly number[];
}

const ANNOTATIONS: readonly Annotation[] = JSON.parse(
	NUSCENES_FILES.get(`${NUSCENES_VERSION}/sample_annotation.json`) ?? "[]",
);

/** Predicts an instance at a frame of scene 0: where it is recorded, and 3 m beside that. */
export function nuscenesPrediction(instance: number, frame: number) {
	const own = `instance-0-${instance}`;
	const places = Array.from({ length: STEPS }, (_, step) => {
		const found = ANNOTATIONS.find(
			(one) =>
				one.instance_token === own &&
				one.sample_token === `sample-0-${frame + 1 + step}`,
		);
		return found?.translation.slice(0, 2) ?? [0, 0];
	});
	return {
		...{ instance: own, sample: `sample-0-${frame}`, probabilities: [0.75, 0.25] },
		prediction: [places, places.map(([x = 0, y = 0]) => [x, y + 3])],
	};
}
