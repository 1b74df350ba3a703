"""Computes a map with umap-learn and scikit-learn and prints one JSON line. Usage: python3 reference.py FILE.f32 DIMS OUT.json"""

import json
import resource
import sys
import time
import warnings

warnings.filterwarnings("ignore")

import numpy as np  # noqa: E402
import umap  # noqa: E402
from sklearn.cluster import AgglomerativeClustering  # noqa: E402
from sklearn.metrics.pairwise import cosine_similarity  # noqa: E402

LINKS_PER_POINT = 6
KEPT_LINKS_PER_POINT = 2.1
RANDOM_PAIRS = 20_000
THRESHOLD = 0.35


def measure(work):
    start = time.perf_counter()
    result = work()
    return result, round(1000 * (time.perf_counter() - start))


def find_edges(vectors):
    """Links each point with its nearest ones and keeps the strongest links that are stronger than random pairs."""
    n = len(vectors)
    similarity = cosine_similarity(vectors)
    np.fill_diagonal(similarity, -1)
    nearest = np.argpartition(-similarity, LINKS_PER_POINT, axis=1)[:, :LINKS_PER_POINT]
    pairs = np.unique(np.sort(np.stack([np.repeat(np.arange(n), LINKS_PER_POINT), nearest.ravel()], axis=1), axis=1), axis=0)
    a, b = np.random.default_rng(1).integers(0, n, (2, RANDOM_PAIRS))
    low, median = np.quantile(similarity[a, b][a != b], [0.16, 0.5])
    strengths = similarity[pairs[:, 0], pairs[:, 1]]
    strongest = np.argsort(-strengths, kind="stable")[: round(KEPT_LINKS_PER_POINT * n)]
    kept = strongest[strengths[strongest] > median + 2 * (median - low)]
    return [[int(pairs[i, 0]), int(pairs[i, 1]), float(strengths[i])] for i in kept]


def main():
    file, dims, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    vectors = np.fromfile(file, dtype="<f4").reshape(-1, dims)
    layout = umap.UMAP(n_components=3, metric="cosine", random_state=42)
    clustering = AgglomerativeClustering(
        n_clusters=None, metric="cosine", linkage="average", distance_threshold=THRESHOLD
    )
    coords, umap_ms = measure(lambda: layout.fit_transform(vectors))
    labels, clusters_ms = measure(lambda: clustering.fit_predict(vectors))
    edges, edges_ms = measure(lambda: find_edges(vectors))
    with open(out, "w") as to:
        json.dump({"coords": coords.tolist(), "labels": labels.tolist(), "edges": edges}, to)
    figures = {
        "n": len(vectors),
        "umap_ms": umap_ms,
        "clusters_ms": clusters_ms,
        "edges_ms": edges_ms,
        "total_ms": umap_ms + clusters_ms + edges_ms,
        "peak_rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    print(json.dumps(figures))


main()
