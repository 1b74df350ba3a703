/** Replaces next/navigation. */
export const usePathname = (): string => "/viz"
