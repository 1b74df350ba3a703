export type MapPageServer = { readonly url: string; stop(): Promise<void> }
export declare const watchMapPage: (port: number) => Promise<MapPageServer>
export declare const serveMapPage: (folder: string) => Promise<MapPageServer>
