export declare const pack: (dir: string) => Promise<number>
