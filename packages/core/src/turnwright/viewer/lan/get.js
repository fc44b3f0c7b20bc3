/** The page /get of a class: dark or light, as the reader has chosen. */
import { ThemeChoice } from "../page/theme.js";

new ThemeChoice(() => {});
