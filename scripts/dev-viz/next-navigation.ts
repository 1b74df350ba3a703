/** In place of next/navigation: the stage is the map, and nothing else. */
export const usePathname = (): string => "/viz"
