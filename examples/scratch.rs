use zermelo::games::*;
use zermelo::rules::*;
fn main() {
    let d: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let t = std::time::Instant::now();
    let n = perft(&TixTax::start(), d);
    let e = t.elapsed().as_secs_f64();
    println!("tixtax {d}: {n} {:.0} M/s", n as f64 / e / 1e6);
    let t = std::time::Instant::now();
    let n = perft(&Nim::start(), 6);
    println!("nim: {n} {:?}", t.elapsed());
    for t in [1, 2] {
        let s = std::time::Instant::now();
        let n: u64 =
            perft::divide(&TixTax::start(), d, t, &false.into()).unwrap().iter().map(|x| x.1).sum();
        let e = s.elapsed().as_secs_f64();
        println!("threads {t}: {n} {:.0} M/s", n as f64 / e / 1e6);
    }
}
