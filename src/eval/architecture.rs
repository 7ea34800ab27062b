//! The architecture of the net: layer sizes, fixed-point scales and the ranges of weights.

use crate::games::grid::SYMMETRIES;

/// The small boards and the big one.
pub const BOARDS: usize = 10;
/// The images of a position, which share their weights.
pub const IMAGES: usize = SYMMETRIES;
/// Units of the first layer.
pub const UNITS: usize = 8;
/// Units of the second layer.
pub const HIDDEN: usize = 16;
/// The fixed-point value of 1.0 in the first layer, where activations are clipped. Its square just
/// fits in an `i16`.
pub const ONE: i16 = 181;

/// Right shift of weighted sums in the second layer: of all units of an image, and of each pair of
/// means.
pub const PRODUCT_SHIFT: u32 = 16;
/// Right shift of the second layer's sums before activation, to the scale of [`ONE`].
pub const HIDDEN_SHIFT: u32 = 3;

/// The largest absolute weight of the first layer. A sum has twelve terms: ten boards, the board to
/// play in and the bias.
pub const MAX_ROW: i16 = 2700;
/// The largest sum of a hidden unit's absolute weights from one image. A unit of the first layer is at
/// most [`ONE`] squared, which fits in 15 bits.
pub const MAX_INNER_TOTAL: u32 = (1 << 16) - 1;
/// The largest absolute weight of an output.
pub const MAX_HEAD: i16 = 128;
/// The largest absolute weight of an output's skip connection.
pub const MAX_SKIP: i16 = 4096;
