/** Returns true if the key is typed into a text field and is therefore no keyboard shortcut. */
export const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest("input:not([type=radio]), textarea, [contenteditable]") !== null
