export function listExternal(): string[]
