/** Whether a key goes into a text that someone is writing, and so must not be taken for a command of the page. */
export const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest("input:not([type=radio]), textarea, [contenteditable]") !== null
