export type Stage = { readonly url: string; stop(): Promise<void> }
export declare const watchStage: (folder: string, port: number) => Promise<Stage>
export declare const serveStage: (folder: string) => Promise<Stage>
