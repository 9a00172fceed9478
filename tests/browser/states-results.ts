// States with what models and challenges produce.
import type { State } from "./state.js";
import {
	BOTH_RESULTS,
	distribute,
	joinSimulation,
	measure,
	nuscenes,
	otherArchive,
	planners,
	predict,
	predictSamples,
	rank,
	rankSubmissions,
	runLive,
	scoreFiles,
	simulate,
	simulateJointly,
	split,
	submissions,
} from "./state-steps.js";
import * as app from "./viewer-harness.js";

export const RESULT_STATES: readonly State[] = [
	{ name: "no predictions", link: "f=90", tab: "predictions" },
	{
		name: "an invalid predictions file",
		link: "f=90",
		enter: async (page) => {
			await page.evaluate(() => {
				const data = new DataTransfer();
				const head = "timestamp,track_id,conf_0,coord_x00,coord_y00\r\n";
				data.items.add(new File([`${head}1,2,x,1,1\r\n`], "bad.csv"));
				const drop = new DragEvent("drop", { dataTransfer: data, bubbles: true });
				document.querySelector("bev-viewer")?.dispatchEvent(drop);
			});
			await app.openTab(page, "Predictions");
			await page.getByRole("alert").first().waitFor();
		},
		tab: "predictions",
	},
	{ name: "two models compared", link: "f=85", tab: "predictions", enter: predict },
	{
		name: "two models in a tilted picture",
		link: "f=85&ti=0.785&z=70",
		tab: "predictions",
		enter: predict,
	},
	{
		name: "two models in split pictures",
		link: "f=85&t=1",
		tab: "predictions",
		enter: split,
	},
	{ name: "a ranked prediction", link: "f=85", tab: "predictions", enter: rank },
	{
		name: "metrics of two models",
		link: "f=85",
		tab: "predictions",
		enter: measure,
	},
	{
		name: "distributions of two models, brushed",
		link: "f=85&ds=predictions;by=model;b.speed=1~;b.class=0",
		tab: "distributions",
		enter: distribute,
		shows: /predictions kept in/,
	},
	{
		name: "a brushed list of frames",
		link: "f=85&ds=predictions;b.speed=1~",
		tab: "predictions",
		enter: async (page) => {
			await distribute(page);
			const controller = await app.controllerOf(page);
			await controller.evaluate((it) => it.reviews.list("worse-all-frames"));
		},
		shows: /^Distributions keep .* pairs/,
	},
	{
		name: "box plots of two models",
		link: "f=85&ds=predictions;boxes;on=miss;xy=speed,ade",
		tab: "distributions",
		enter: distribute,
		shows: /predictions in/,
	},
	{
		name: "distributions of agents",
		link: "f=85&ds=tracks;by=class;b.max_speed=2~",
		tab: "distributions",
		shows: /agents kept in 4 of 4 scenes/,
	},
	{
		name: "a live model",
		link: "f=20",
		tab: "predictions",
		enter: (page) => runLive(page, true),
	},
	{
		name: "a damaged model",
		link: "f=90",
		tab: "predictions",
		enter: (page) => runLive(page, false),
	},
	{ name: "a rollout", link: "f=95", tab: "predictions", enter: simulate },
	{
		name: "joint futures",
		link: "f=90",
		objects: submissions,
		tab: "predictions",
		enter: (page) =>
			simulateJointly(page, "/results/made.binproto", "30;outcome;colliding;worst"),
	},
	{
		name: "joint futures of two submissions",
		link: "f=90",
		objects: submissions,
		tab: "predictions",
		enter: (page) => simulateJointly(page, BOTH_RESULTS),
	},
	{
		name: "joint futures in split pictures",
		link: "f=90",
		objects: submissions,
		tab: "predictions",
		enter: (page) => simulateJointly(page, BOTH_RESULTS, "31;colliding;split"),
		shows: /^other\.binproto, future/,
	},
	{
		name: "local results of a link",
		link: "f=90",
		objects: submissions,
		tab: "predictions",
		enter: (page) =>
			simulateJointly(
				page,
				"local:mine.binproto|/results/other.binproto|local:validation-scores.csv",
			),
		shows: /local results: mine\.binproto/,
	},
	{
		name: "ranked submissions",
		link: "f=90",
		objects: submissions,
		tab: "distributions",
		enter: (page) => rankSubmissions(page, "submissions;on=min_ade_b_minus_a"),
		shows: /^3 scenarios in 3 of 3 scenes; A: made.*, B: other/,
	},
	{
		name: "ranked futures of submissions",
		link: "f=90",
		objects: submissions,
		tab: "distributions",
		enter: (page) => rankSubmissions(page, "futures;on=ade;by=submission"),
		shows: /^120 futures in 3 of 3 scenes/,
	},
	{
		name: "files of scores",
		link: "f=90",
		objects: submissions,
		tab: "predictions",
		enter: scoreFiles,
	},
	{
		name: "a simulation of nuPlan beside its scene",
		link: "f=90",
		tab: "predictions",
		enter: joinSimulation,
		shows: "Plan in this frame",
	},
	{
		name: "scores of planners",
		link: "f=90",
		objects: submissions,
		tab: "predictions",
		enter: planners,
	},
	{
		name: "predictions for nuScenes",
		link: "f=90",
		objects: nuscenes,
		tab: "predictions",
		enter: predictSamples,
		shows: /predicted in frame 4/,
	},
	{
		name: "a zipped submission of other data",
		link: "f=90",
		objects: submissions,
		tab: "predictions",
		enter: otherArchive,
	},
	{
		name: "distributions without predictions",
		link: "f=90&ds=predictions",
		tab: "distributions",
		shows: "No predictions",
	},
];
