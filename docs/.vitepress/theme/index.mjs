import DefaultTheme from "vitepress/theme";
import LiveViewer from "./LiveViewer.vue";
import "./style.css";

export default {
	extends: DefaultTheme,
	enhanceApp({ app }) {
		app.component("LiveViewer", LiveViewer);
	},
};
