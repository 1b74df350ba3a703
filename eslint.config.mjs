// Only regular expressions: Biome lints everything else (docs/decisions/055-document-parsing.md).
import parser from "@typescript-eslint/parser"
import regexp from "eslint-plugin-regexp"

export default [
  {
    files: ["{lib,worker,client,cli,app,components}/**/*.{ts,tsx}"],
    ignores: ["**/*.test.{ts,tsx}", "**/*.testsuite.ts", "**/testing/**", "lib/map/kernels/assembly/**"],
    languageOptions: { parser },
    plugins: { regexp },
    rules: {
      // Every pattern takes time linear in the length of the text, also if it matches nowhere.
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential", ignoreSticky: false, ignorePartial: false }],
    },
  },
]
