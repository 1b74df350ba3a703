/** The fields of the map that its page shows. Points and edges come as columns, which take half of the space. */
export const MAP_FIELDS = [
  "point_columns",
  "edge_columns",
  "clip_ids",
  "clip_titles",
  "clip_dates",
  "total_topics",
  "total_clips",
  "total_clusters",
  "distance_threshold",
  "regions",
  "labels",
  "layout_version",
  "embed_model",
] as const

/** The address of those fields, as the client requests it, so that the HTML of the page can announce the request. */
export const MAP_ADDRESS = `/viz/data?${new URLSearchParams({ fields: MAP_FIELDS.join(",") })}`
