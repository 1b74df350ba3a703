// pdf.js answers messages as soon as it is loaded in a worker. Its exports are used, so that no build leaves it out.
import { version } from "unpdf/pdfjs"

Object.assign(self, { pdfVersion: version })
