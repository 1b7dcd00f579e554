export declare const ROOT_DIR: string;
export declare const COMPILED_DIR: string;
export declare const STAMP: string;
export declare function isStale(rootDir?: string): boolean;
