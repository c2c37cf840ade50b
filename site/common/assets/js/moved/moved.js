// Leads from an old address to the new one, with the query that says what to show.

import { byId } from "../elements.js";

const link = byId("moved");
link.search = location.search;
location.replace(link.href);
